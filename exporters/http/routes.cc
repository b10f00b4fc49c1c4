#include "exporters/http/routes.h"

#include <algorithm>
#include <array>
#include <charconv>
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

// A job id is 32 digits: what is much longer names no job.
constexpr std::size_t kMaxVariableBytes = 256;

constexpr std::string_view kNotReady = "the first poll is not done yet";

// The page asks this server alone, runs nothing but its own script, and never makes markup out of a
// text.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

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

// A variable of the query; empty where it is absent.
class Variable {
 public:
  Variable(const Request& request, const char* name) {
    constexpr int kAbsent = -1;
    const int found =
        mg_get_var(request.query.data(), request.query.size(), name, text_.data(), text_.size());
    too_long_ = found < 0 && found != kAbsent;
    size_ = static_cast<std::size_t>(std::max(found, 0));
  }

  bool too_long() const { return too_long_; }
  std::string_view text() const { return {text_.data(), size_}; }

 private:
  std::array<char, kMaxVariableBytes> text_{};
  std::size_t size_ = 0;
  bool too_long_ = false;
};

void Findings(const Request& request, const Publication& publication, Reply* reply) {
  const Variable job_id(request, "job_id");
  const Variable limit(request, "limit");
  FindingsWanted wanted{job_id.text()};
  const std::string_view digits = limit.text();
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, wanted.limit);
  const bool good = digits.empty() || (parsed.ec == std::errc() && parsed.ptr == end);
  if (job_id.too_long() || limit.too_long() || !good) {
    reply->Send(400, kJsonType,
                ErrorsJson(job_id.too_long() ? "job_id is too long" : "limit is no number"));
    return;
  }
  SendReport(publication, reply, [&wanted](const Report& report, JsonSink sink) {
    WriteFindingsJson(report, wanted, std::move(sink));
  });
}

void Operators(const Request& request, const Publication& publication, Reply* reply) {
  const Variable job_id(request, "job_id");
  if (job_id.too_long()) {
    reply->Send(400, kJsonType, ErrorsJson("job_id is too long"));
    return;
  }
  SendReport(publication, reply, [&job_id](const Report& report, JsonSink sink) {
    WriteOperatorsJson(report, job_id.text(), std::move(sink));
  });
}

struct Route {
  std::string_view path;
  void (*answer)(const Request& request, const Publication& publication, Reply* reply);
};

constexpr std::array<Route, 10> kRoutes = {{
    {"/", Page},
    {"/page.css", PageStyle},
    {"/page.js", PageScript},
    {"/page.svg", PageIcon},
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
