// The heap of TaskManagers that hold hashmap state: what stays in use after collections, and how
// many bytes of heap a byte of checkpoint takes there.
//
// State on the heap is 8 to 10 times what its checkpoint counts (seen on Flink 2.3.0: GROUP BY on
// BIGINT keys, a regular join); how much depends on the rows, so it is learnt, never assumed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Not thread safe. About 2 KiB per TaskManager.
class HeapWatch {
 public:
  // Takes a poll's numbers; forgets TaskManagers that are gone.
  void Observe(const ClusterSnapshot& snapshot);

  struct Heap {
    double floor = 0;  // bytes in use after collections, of late
    double max = 0;
    // By job id: checkpoint bytes of the job's hashmap state on this TaskManager, by its slots.
    std::map<std::string, double> state_by_job;
    std::optional<double> factor;  // bytes of heap per byte of checkpoint
  };

  // By TaskManager id; those watched long enough to know their floor.
  const std::map<std::string, Heap>& heaps() const { return heaps_; }

 private:
  // Some polls' least heap in use: sooner or later one comes just after a collection.
  struct Block {
    int samples = 0;
    double least_used = 0;
    double state = 0;  // checkpoint bytes on the TaskManager at that time
  };
  struct Watch {
    std::int64_t last_ms = 0;
    int samples_per_block = 0;
    std::vector<Block> blocks;  // oldest first; the last one is being filled
  };

  static void AddSample(double used, double state, Watch* watch);
  static std::optional<double> LearnFactor(const Watch& watch, double max);

  std::map<std::string, Watch> watches_;
  std::map<std::string, Heap> heaps_;
};

}  // namespace fss
