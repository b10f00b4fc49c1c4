// Sending one answer over civetweb.
#pragma once

#include <civetweb.h>

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace fss {

inline constexpr std::string_view kTextType = "text/plain; charset=utf-8";
inline constexpr std::string_view kJsonType = "application/json; charset=utf-8";
inline constexpr std::string_view kHtmlType = "text/html; charset=utf-8";

// One answer to one request. HEAD gets the headers alone. A client that reads too slowly is given
// up. Every answer closes its connection: civetweb holds a thread per connection, and idle ones
// that wait for a next request would keep other clients waiting. Not thread safe; one per request.
class Reply {
 public:
  Reply(mg_connection* connection, bool head_only);

  // A header line beyond those that every answer has.
  void AddHeader(std::string_view name, std::string_view value);

  // The whole answer.
  void Send(int status, std::string_view content_type, std::string_view body);

  // The headers of an answer of known length, to be followed by SendPart calls.
  void Begin(int status, std::string_view content_type, std::size_t length);
  // The headers of an answer whose length is not known yet: SendPart calls, then End.
  void BeginStream(int status, std::string_view content_type);
  // False when the client has gone, is too slow, or asked for the headers only.
  bool SendPart(std::string_view part);
  void End();

 private:
  void SendHead(int status, std::string_view content_type, std::string_view length_line);
  bool Write(std::string_view bytes);

  mg_connection* const connection_;
  const bool head_only_;
  const std::chrono::steady_clock::time_point deadline_;
  std::string extra_headers_;
  bool chunked_ = false;
  bool failed_ = false;
};

// {"errors":["message"]}, in the manner of Flink's REST API.
std::string ErrorsJson(std::string_view message);

}  // namespace fss
