#include "exporters/http/routes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "exporters/http/gzip.h"
#include "exporters/json/report_json.h"
#include "exporters/prometheus/metrics_page.h"

namespace fss {
namespace {

// The content type of Prometheus' text format 0.0.4.
constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

// Pages up to this size are kept as they are too: about 3,000 series, a dozen busy jobs.
constexpr std::size_t kKeptPlainBytes = 1024UL * 1024;

// A job id is 32 digits: what is much longer names no job.
constexpr std::size_t kMaxJobIdBytes = 256;

constexpr std::string_view kNotReady = "the first poll is not done yet";

constexpr std::string_view kIndexPage = R"(<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>flink-state-sidecar</title></head>
<body>
<h1>flink-state-sidecar</h1>
<ul>
<li><a href="metrics">/metrics</a>: Prometheus metrics</li>
<li><a href="api/v1/jobs">/api/v1/jobs</a>: the jobs</li>
<li><a href="api/v1/operators">/api/v1/operators</a>: the jobs with their operators, state and TTL
(?job_id= for one)</li>
<li><a href="api/v1/findings">/api/v1/findings</a>: what is wrong, and what to do</li>
<li><a href="healthz">/healthz</a>, <a href="readyz">/readyz</a>: probes</li>
</ul>
</body>
</html>
)";

void Metrics(const Request& request, const Publication& publication, Reply* reply) {
  publication.metrics.SendTo(reply, AcceptsGzip(request.accept_encoding));
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

void Index(const Request& /*request*/, const Publication& /*publication*/, Reply* reply) {
  reply->AddHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  reply->Send(200, kHtmlType, kIndexPage);
}

// Sends what `write(report, sink)` writes, or 503 while there is no report: an empty list would
// say that there are no jobs.
template <typename Write>
void SendReport(const Publication& publication, Reply* reply, const Write& write) {
  if (publication.report == nullptr) {
    reply->Send(503, kJsonType, ErrorsJson(kNotReady));
    return;
  }
  reply->BeginStream(200, kJsonType);
  write(*publication.report, [reply](std::string_view piece) { return reply->SendPart(piece); });
  reply->End();
}

void Jobs(const Request& /*request*/, const Publication& publication, Reply* reply) {
  SendReport(publication, reply, WriteJobsJson);
}

void Findings(const Request& /*request*/, const Publication& publication, Reply* reply) {
  SendReport(publication, reply, WriteFindingsJson);
}

void Operators(const Request& request, const Publication& publication, Reply* reply) {
  std::array<char, kMaxJobIdBytes> job_id{};
  const int found = mg_get_var(request.query.data(), request.query.size(), "job_id", job_id.data(),
                               job_id.size());
  constexpr int kAbsent = -1;
  if (found < 0 && found != kAbsent) {
    reply->Send(400, kJsonType, ErrorsJson("job_id is too long"));
    return;
  }
  const std::string_view wanted(job_id.data(), static_cast<std::size_t>(std::max(found, 0)));
  SendReport(publication, reply, [wanted](const Report& report, JsonSink sink) {
    WriteOperatorsJson(report, wanted, std::move(sink));
  });
}

struct Route {
  std::string_view path;
  void (*answer)(const Request& request, const Publication& publication, Reply* reply);
};

constexpr std::array<Route, 7> kRoutes = {{
    {"/", Index},
    {"/metrics", Metrics},
    {"/healthz", Health},
    {"/readyz", Ready},
    {"/api/v1/jobs", Jobs},
    {"/api/v1/findings", Findings},
    {"/api/v1/operators", Operators},
}};

}  // namespace

MetricsBody::MetricsBody(const Report& report, const SidecarStats& stats) {
  Gzip gzip;
  WriteMetricsPage(report, stats, [&](std::string_view piece) {
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
    plain_ = MetricsPage(report, stats);
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
