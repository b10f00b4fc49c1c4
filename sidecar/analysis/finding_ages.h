// Since when findings stand.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sidecar/analysis/history_store.h"
#include "sidecar/model/finding.h"

namespace fss {

// Not thread safe. No I/O.
class FindingAges {
 public:
  // Since when findings stood that a store remembers; what is known already stays.
  void Learn(const std::vector<HistoryChanges::FirstSeen>& findings);

  // Sets first_seen_ms of every finding of this poll: what stood in the poll before keeps its time.
  // `changes` gets those that began and those that are over.
  void Stamp(std::int64_t now_ms, std::vector<Finding>* findings, HistoryChanges* changes);

  // All that stand, as if nothing had ever been written.
  void DescribeAll(HistoryChanges* changes) const;

 private:
  std::unordered_map<std::string, std::int64_t> first_seen_;  // by place; of the last poll
};

}  // namespace fss
