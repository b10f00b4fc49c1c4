#include "exporters/http/routes.h"

#include <algorithm>
#include <array>
#include <string>
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

// A job id is 32 digits, a cluster's name two names of Kubernetes: what is much longer names none.
constexpr std::size_t kMaxJobIdBytes = 256;
constexpr std::size_t kMaxClusterBytes = 1024;

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
<li><a href="api/v1/clusters">/api/v1/clusters</a>: the clusters, and which of them answer</li>
<li><a href="healthz">/healthz</a>, <a href="readyz">/readyz</a>: probes</li>
</ul>
</body>
</html>
)";

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

void Index(const Request& /*request*/, const Publication& /*publication*/, Reply* reply) {
  reply->AddHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  reply->Send(200, kHtmlType, kIndexPage);
}

// A value of the query; false, with an answer sent, when it is too long.
template <std::size_t kMaxBytes>
bool QueryValue(const Request& request, const char* name, std::string* value, Reply* reply) {
  std::array<char, kMaxBytes> text{};
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

// Sends what `write(fleet, filter, sink)` writes, or 503 while nothing is known: an empty list
// would say that there are no jobs. ?job_id= and ?cluster= ask for a part.
template <typename Write>
void SendDocument(const Request& request, const Publication& publication, Reply* reply,
                  const Write& write) {
  std::string cluster;
  std::string job_id;
  if (!QueryValue<kMaxClusterBytes>(request, "cluster", &cluster, reply) ||
      !QueryValue<kMaxJobIdBytes>(request, "job_id", &job_id, reply)) {
    return;
  }
  const bool known =
      publication.fleet != nullptr && (publication.ready || !publication.fleet->discovered);
  if (!known) {
    reply->Send(503, kJsonType, ErrorsJson(kNotReady));
    return;
  }
  reply->BeginStream(200, kJsonType);
  write(*publication.fleet, JsonFilter{cluster, job_id},
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

constexpr std::array<Route, 8> kRoutes = {{
    {"/", Index},
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
