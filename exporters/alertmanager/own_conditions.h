// What the sidecar has to say about itself.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "exporters/alertmanager/alert_table.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

struct OwnTrouble {
  const OwnAlert* row = nullptr;
  std::string collector;    // kCollectorFails
  std::string description;  // one sentence, with the numbers
};

// Not thread safe. Keeps the counts of requests of the last 15 minutes.
class OwnConditions {
 public:
  explicit OwnConditions(std::int64_t poll_interval_ms) : poll_interval_ms_(poll_interval_ms) {}

  // What holds at `now_ms`, given the last report and the counts as of then.
  std::vector<OwnTrouble> Look(const Report& report, const SidecarStats& stats,
                               std::int64_t now_ms);

 private:
  struct Count {
    std::int64_t t_ms = 0;
    std::uint64_t requests = 0;
    std::uint64_t failed = 0;
  };

  // The share of the requests since the oldest count that got no usable answer; 0 without any.
  double FailedShare(const SidecarStats& stats, std::int64_t now_ms);

  std::int64_t poll_interval_ms_;
  std::deque<Count> counts_;  // oldest first; the first may be older than the range
};

}  // namespace fss
