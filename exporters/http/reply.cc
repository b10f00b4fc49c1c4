#include "exporters/http/reply.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "exporters/json/json_writer.h"

namespace fss {
namespace {

// civetweb's own time-out is per piece that the socket takes, so a client that reads a little of
// a long answer now and then would hold a thread for as long as it likes. Prometheus gives up
// after 10 s by default.
constexpr std::chrono::seconds kSendDeadline{30};
// How much is handed over between two looks at the clock.
constexpr std::size_t kWriteBytes = 64UL * 1024;

constexpr std::string_view kCommonHeaders =
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Connection: close\r\n";

std::string_view Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 503:
      return "Service Unavailable";
    default:
      return status < 500 ? "Client Error" : "Server Error";
  }
}

// Clients tell by it how old the numbers are, whatever their own clock says.
std::string DateLine() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::array<char, 64> line{};
  std::snprintf(line.data(), line.size(), "Date: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n",
                kDays.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                kMonths.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_year + 1900,
                parts.tm_hour, parts.tm_min, parts.tm_sec);
  return line.data();
}

}  // namespace

Reply::Reply(mg_connection* connection, bool head_only)
    : connection_(connection),
      head_only_(head_only),
      deadline_(std::chrono::steady_clock::now() + kSendDeadline) {
  mg_disable_connection_keep_alive(connection_);
}

void Reply::AddHeader(std::string_view name, std::string_view value) {
  extra_headers_.append(name).append(": ").append(value).append("\r\n");
}

bool Reply::Write(std::string_view bytes) {
  while (!bytes.empty() && !failed_) {
    const std::string_view next = bytes.substr(0, kWriteBytes);
    const int written = mg_write(connection_, next.data(), next.size());
    failed_ =
        written != static_cast<int>(next.size()) || std::chrono::steady_clock::now() > deadline_;
    bytes.remove_prefix(next.size());
  }
  return !failed_;
}

void Reply::SendHead(int status, std::string_view content_type, std::string_view length_line) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + " ";
  head.append(Reason(status)).append("\r\nContent-Type: ").append(content_type).append("\r\n");
  head.append(length_line)
      .append(DateLine())
      .append(kCommonHeaders)
      .append(extra_headers_)
      .append("\r\n");
  Write(head);
}

void Reply::Begin(int status, std::string_view content_type, std::size_t length) {
  SendHead(status, content_type, "Content-Length: " + std::to_string(length) + "\r\n");
}

void Reply::BeginStream(int status, std::string_view content_type) {
  // HTTP/1.0 knows no chunks: there the end of the connection is the end of the answer.
  const char* version = mg_get_request_info(connection_)->http_version;
  chunked_ = version != nullptr && std::string_view(version) == "1.1";
  SendHead(status, content_type, chunked_ ? "Transfer-Encoding: chunked\r\n" : "");
}

bool Reply::SendPart(std::string_view part) {
  if (head_only_ || failed_) {
    return false;
  }
  if (part.empty() || !chunked_) {
    return Write(part);
  }
  std::array<char, 24> size{};
  std::snprintf(size.data(), size.size(), "%zx\r\n", part.size());
  return Write(size.data()) && Write(part) && Write("\r\n");
}

void Reply::End() {
  if (chunked_ && !head_only_) {
    Write("0\r\n\r\n");
  }
}

void Reply::Send(int status, std::string_view content_type, std::string_view body) {
  Begin(status, content_type, body.size());
  SendPart(body);
}

std::string ErrorsJson(std::string_view message) {
  return JsonText([message](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.BeginArray("errors");
    writer.Element(message);
    writer.EndArray();
    writer.EndObject();
    writer.Finish();
  });
}

}  // namespace fss
