#include "sidecar/app/fleet/events.h"

#include <chrono>
#include <utility>

#include "collectors/kube/kube_reader.h"
#include "exporters/json/event_json.h"
#include "sidecar/app/log.h"

namespace fss {
namespace {

constexpr std::chrono::milliseconds kTimeout{5000};
// Where Events are refused, they are tried again after so long.
constexpr std::int64_t kRefusedMillis = 5LL * 60 * 1000;
constexpr int kConflict = 409;
constexpr int kNotFound = 404;

std::string EventsPath(const KubeEventRecord& record) {
  return "/apis/events.k8s.io/v1/namespaces/" + record.regarding.namespace_name + "/events";
}

bool Good(const Result<KubeAnswer>& answer) {
  return answer.ok() && answer->status >= 200 && answer->status <= 299;
}

}  // namespace

EventWriter::EventWriter(std::string instance, std::unique_ptr<KubeHttp> http, const Clock& clock)
    : instance_(std::move(instance)),
      http_(std::move(http)),
      clock_(clock),
      thread_([this] { Run(); }) {}

EventWriter::~EventWriter() { Stop(); }

void EventWriter::Offer(std::shared_ptr<const Report> report, ObjectReference regarding) {
  const std::lock_guard lock(mutex_);
  const std::string cluster = report->cluster;
  waiting_[cluster] = {std::move(report), std::move(regarding)};
  changed_.notify_all();
}

void EventWriter::Forget(const std::string& cluster) {
  const std::lock_guard lock(mutex_);
  waiting_[cluster] = {};
  changed_.notify_all();
}

void EventWriter::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  http_->Cancel();
  if (thread_.joinable()) thread_.join();
}

void EventWriter::Run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    changed_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
    if (stop_) return;
    const auto next = waiting_.extract(waiting_.begin());
    lock.unlock();
    if (next.mapped().report == nullptr) {
      book_.Forget(next.key());
    } else {
      WriteAll(*next.mapped().report, next.mapped().regarding);
    }
    lock.lock();
  }
}

void EventWriter::WriteAll(const Report& report, const ObjectReference& regarding) {
  // While nothing can be written nothing is taken for told: it is when it can be again.
  if (clock_.MonotonicMillis() < not_before_ms_) return;
  for (const KubeEventRecord& record : book_.Update(report, regarding, clock_.WallMillis())) {
    Write(record);
    if (!refused_.empty()) {
      book_.Forget(report.cluster);
      return;
    }
  }
}

void EventWriter::Write(const KubeEventRecord& record) {
  const bool fresh = record.count == 1;
  Result<KubeAnswer> answer = fresh ? Create(record) : UpdateSeries(record);
  // It was there already, of a process before this one; or the API server has forgotten it.
  if (answer.ok() && fresh && answer->status == kConflict) answer = UpdateSeries(record);
  if (answer.ok() && !fresh && answer->status == kNotFound) answer = Create(record);
  if (!answer.ok()) return Refused(answer.error().ToString());
  if (!Good(answer)) return Refused(KubeRefusal(*answer).ToString());
  if (!refused_.empty()) Log(LogLevel::kInfo, "writing Events works again");
  refused_.clear();
}

Result<KubeAnswer> EventWriter::Create(const KubeEventRecord& record) {
  KubeRequest request;
  request.method = "POST";
  request.path = EventsPath(record);
  request.content_type = "application/json";
  request.body = EventJson(record, instance_);
  request.timeout = kTimeout;
  return http_->Send(request);
}

Result<KubeAnswer> EventWriter::UpdateSeries(const KubeEventRecord& record) {
  KubeRequest request;
  request.method = "PATCH";
  request.path = EventsPath(record) + "/" + record.name;
  request.content_type = "application/merge-patch+json";
  request.body = EventSeriesJson(record);
  request.timeout = kTimeout;
  return http_->Send(request);
}

// Said once, and once more when it is another reason.
void EventWriter::Refused(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (stop_) return;  // broken off by Stop
  }
  if (refused_ != why) {
    Log(LogLevel::kWarn, "Events cannot be written; all else goes on", {{"error", why}});
  }
  refused_ = why;
  not_before_ms_ = clock_.MonotonicMillis() + kRefusedMillis;
}

}  // namespace fss
