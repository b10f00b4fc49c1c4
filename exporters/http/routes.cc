#include "exporters/http/routes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

#include "exporters/http/gzip.h"
#include "exporters/http/page_files.h"
#include "exporters/json/report_json.h"
#include "exporters/prometheus/metrics_page.h"

namespace fss {
namespace {

// The content type of Prometheus' text format 0.0.4.
constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

// Pages up to this size are kept as they are too: about 3,000 series, a dozen busy jobs.
constexpr std::size_t kKeptPlainBytes = 1024UL * 1024;

// A job id is 32 digits, a cluster's name two names of Kubernetes: what is much longer names none.
constexpr std::size_t kMaxVariableBytes = 1024;

constexpr std::string_view kNotReady = "the first poll is not done yet";

// The page asks this server alone, runs nothing but its own script, and never makes markup out of a
// text.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

void Metrics(const Request& request, const Publication& publication, Reply* reply) {
  publication.metrics->SendTo(reply, AcceptsGzip(request.accept_encoding));
}

void Health(const Request& /*request*/, const Publication& /*publication*/, Reply* reply) {
  reply->Send(200, kTextType, "ok\n");
}

void Ready(const Request& /*request*/, const Publication& publication, Reply* reply) {
  if (publication.ready) {
    reply->Send(200, kTextType, "ok\n");
  } else {
    reply->Send(503, kTextType, std::string(kNotReady) + "\n");
  }
}

void Page(const Request& /*request*/, const Publication& /*publication*/, Reply* reply) {
  reply->AddHeader("Content-Security-Policy", kPagePolicy);
  reply->AddHeader("Referrer-Policy", "no-referrer");
  reply->Send(200, kHtmlType, kPageHtml);
}

void PageStyle(const Request& /*request*/, const Publication& /*publication*/, Reply* reply) {
  reply->Send(200, "text/css; charset=utf-8", kPageCss);
}

void PageScript(const Request& /*request*/, const Publication& /*publication*/, Reply* reply) {
  reply->Send(200, "text/javascript; charset=utf-8", kPageJs);
}

void PageIcon(const Request& /*request*/, const Publication& /*publication*/, Reply* reply) {
  reply->Send(200, "image/svg+xml", kPageIcon);
}

// A value of the query, empty where it is absent; false, with an answer sent, when it is too long.
bool QueryValue(const Request& request, const char* name, std::string* value, Reply* reply) {
  std::array<char, kMaxVariableBytes> text{};
  const int found =
      mg_get_var(request.query.data(), request.query.size(), name, text.data(), text.size());
  constexpr int kAbsent = -1;
  if (found < 0 && found != kAbsent) {
    reply->Send(400, kJsonType, ErrorsJson(std::string(name) + " is too long"));
    return false;
  }
  value->assign(text.data(), static_cast<std::size_t>(std::max(found, 0)));
  return true;
}

// The same of a number, which stays as it is where none is asked for.
bool QueryNumber(const Request& request, const char* name, std::size_t* value, Reply* reply) {
  std::string digits;
  if (!QueryValue(request, name, &digits, reply)) return false;
  if (digits.empty()) return true;
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, *value);
  if (parsed.ec == std::errc() && parsed.ptr == end) return true;
  reply->Send(400, kJsonType, ErrorsJson(std::string(name) + " is no number"));
  return false;
}

// Sends what `write(fleet, filter, sink)` writes, or 503 while nothing is known: an empty list
// would say that there are no jobs. ?job_id=, ?cluster= and ?limit= ask for a part.
template <typename Write>
void SendDocument(const Request& request, const Publication& publication, Reply* reply,
                  const Write& write) {
  std::string cluster;
  std::string job_id;
  JsonFilter filter;
  if (!QueryValue(request, "cluster", &cluster, reply) ||
      !QueryValue(request, "job_id", &job_id, reply) ||
      !QueryNumber(request, "limit", &filter.limit, reply)) {
    return;
  }
  filter.cluster = cluster;
  filter.job_id = job_id;
  const bool known =
      publication.fleet != nullptr && (publication.ready || !publication.fleet->discovered);
  if (!known) {
    reply->Send(503, kJsonType, ErrorsJson(kNotReady));
    return;
  }
  reply->BeginStream(200, kJsonType);
  write(*publication.fleet, filter,
        [reply](std::string_view piece) { return reply->SendPart(piece); });
  reply->End();
}

void Jobs(const Request& request, const Publication& publication, Reply* reply) {
  SendDocument(request, publication, reply, WriteJobsJson);
}

void Findings(const Request& request, const Publication& publication, Reply* reply) {
  SendDocument(request, publication, reply, WriteFindingsJson);
}

void Operators(const Request& request, const Publication& publication, Reply* reply) {
  SendDocument(request, publication, reply, WriteOperatorsJson);
}

void Clusters(const Request& request, const Publication& publication, Reply* reply) {
  SendDocument(request, publication, reply, WriteClustersJson);
}

struct Route {
  std::string_view path;
  void (*answer)(const Request& request, const Publication& publication, Reply* reply);
};

constexpr std::array<Route, 11> kRoutes = {{
    {"/", Page},
    {"/page.css", PageStyle},
    {"/page.js", PageScript},
    {"/page.svg", PageIcon},
    {kMetricsPath, Metrics},
    {"/healthz", Health},
    {"/readyz", Ready},
    {"/api/v1/clusters", Clusters},
    {"/api/v1/jobs", Jobs},
    {"/api/v1/findings", Findings},
    {"/api/v1/operators", Operators},
}};

}  // namespace

MetricsBody::MetricsBody(const Fleet& fleet) {
  Gzip gzip;
  WriteMetricsPage(fleet, [&](std::string_view piece) {
    gzip.Add(piece);
    plain_size_ += piece.size();
    if (plain_size_ <= kKeptPlainBytes) {
      plain_.append(piece);
    } else {
      plain_ = std::string();  // not clear(): its memory is the point
    }
  });
  gzip_ = gzip.Finish();
  if (gzip_.empty()) {  // zlib could not
    plain_ = MetricsPage(fleet);
  }
}

void MetricsBody::SendTo(Reply* reply, bool accepts_gzip) const {
  reply->AddHeader("Vary", "Accept-Encoding");
  if (accepts_gzip && !gzip_.empty()) {
    reply->AddHeader("Content-Encoding", "gzip");
    reply->Send(200, kMetricsType, gzip_);
    return;
  }
  reply->Begin(200, kMetricsType, plain_size_);
  if (plain_.size() == plain_size_) {
    reply->SendPart(plain_);
  } else {
    Gunzip(gzip_, [reply](std::string_view part) { return reply->SendPart(part); });
  }
}

void Answer(const Request& request, const Publication& publication, Reply* reply) {
  if (request.method != "GET" && request.method != "HEAD") {
    reply->AddHeader("Allow", "GET, HEAD");
    reply->Send(405, kJsonType, ErrorsJson("only GET and HEAD are answered"));
    return;
  }
  const auto* const route = std::find_if(kRoutes.begin(), kRoutes.end(),
                                         [&](const Route& r) { return r.path == request.path; });
  if (route == kRoutes.end()) {
    reply->Send(404, kJsonType, ErrorsJson("nothing is at this path"));
    return;
  }
  route->answer(request, publication, reply);
}

}  // namespace fss
