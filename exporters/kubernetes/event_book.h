// Which Kubernetes Events to write about findings: when one appears, when it is over, and now and
// then while it stands. Pure; time comes with each call.
//
// What the API conventions ask of Events is kept here: the findings of one code of one job are one
// Event, however many operators have it; what comes again is counted in the Event's series, not
// written anew; and no cluster gets more than a few at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/model/cluster_target.h"
#include "sidecar/model/report.h"

namespace fss {

// A standing finding's Event is counted on this often: Events are forgotten after an hour.
inline constexpr std::int64_t kEventHeartbeatMillis = 30LL * 60 * 1000;
// As client-go's spam filter has it: so many at once for one object, then one in five minutes.
inline constexpr int kEventBurst = 25;
inline constexpr std::int64_t kEventRefillMillis = 5LL * 60 * 1000;

struct KubeEventRecord {
  ObjectReference regarding;
  std::string name;  // the same for what is the same, in every process
  bool warning = true;
  std::string reason;  // "StateGrowing", "StateGrowingOver"
  std::string note;    // at most 1 KiB
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
  std::int64_t count = 1;  // of its series
};

// Not thread safe. Times are milliseconds since 1970.
class EventBook {
 public:
  // What to write after a poll of one cluster. An unreachable cluster's findings neither appear nor
  // end. Each record is to be created where its count is 1, else its series is to be updated; who
  // finds it there already, or no longer there, does the other.
  std::vector<KubeEventRecord> Update(const Report& report, const ObjectReference& regarding,
                                      std::int64_t now_ms);

  // The cluster is no longer watched here: nothing is over, nothing is written.
  void Forget(const std::string& cluster);

 private:
  struct Group {
    std::string job;
    std::string code;
    bool stands = false;
    KubeEventRecord appeared;
    std::optional<KubeEventRecord> over;  // the last time that it was over
    std::int64_t told_ms = 0;             // the last record of either
  };
  struct Cluster {
    std::map<std::string, Group> groups;  // by job and code
    double tokens = kEventBurst;
    std::int64_t refilled_ms = 0;
  };

  static bool TakeToken(Cluster* cluster, std::int64_t now_ms);

  std::map<std::string, Cluster> clusters_;
};

// "state-growing" → "StateGrowing".
std::string EventReason(const std::string& code);

}  // namespace fss
