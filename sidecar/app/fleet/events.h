// Writes Kubernetes Events on a thread of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "collectors/kube/kube_http.h"
#include "exporters/kubernetes/event_book.h"
#include "sidecar/base/clock.h"
#include "sidecar/model/cluster_target.h"
#include "sidecar/model/report.h"

namespace fss {

// Offer and Forget from any thread; Stop from the one that made it.
class EventWriter {
 public:
  // `instance` names this process. `clock` outlives it.
  EventWriter(std::string instance, std::unique_ptr<KubeHttp> http, const Clock& clock);
  ~EventWriter();  // Stop
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  // Hands over a poll's outcome; returns at once. Of each cluster the newest wins.
  void Offer(std::shared_ptr<const Report> report, ObjectReference regarding);
  void Forget(const std::string& cluster);
  void Stop();

 private:
  struct Offered {
    std::shared_ptr<const Report> report;  // nullptr: the cluster is to be forgotten
    ObjectReference regarding;
  };

  void Run();
  void WriteAll(const Report& report, const ObjectReference& regarding);
  void Write(const KubeEventRecord& record);
  Result<KubeAnswer> Create(const KubeEventRecord& record);
  Result<KubeAnswer> UpdateSeries(const KubeEventRecord& record);
  void Refused(const std::string& why);

  const std::string instance_;
  const std::unique_ptr<KubeHttp> http_;
  const Clock& clock_;
  EventBook book_;                  // the thread's own, as are the next two
  std::string refused_;             // why nothing can be written; empty: it can
  std::int64_t not_before_ms_ = 0;  // monotonic
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Offered> waiting_;  // by cluster
  bool stop_ = false;
  std::thread thread_;  // last: it uses all above
};

}  // namespace fss
