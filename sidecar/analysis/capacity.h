// When heap, disk or a job's limit will be full at the present growth.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sidecar/analysis/heap_watch.h"
#include "sidecar/model/report.h"

namespace fss {

// Disk that RocksDB and ForSt state of all jobs shares. Bytes.
struct DiskSpace {
  std::optional<std::int64_t> limit;  // it may take so many in all
  std::optional<std::int64_t> free;   // so many are left now
};

// Sets seconds_until_full and full_of of every operator (and entry) of `jobs` that grows, and
// JobReport::heap. JobReport::state_limit_bytes is read.
//
// What is shared is shared by need: all that grow in one place have the time until that place is
// full, but for those that settle before with a hundredth of what is left there, or less. A place
// is the heap of a TaskManager (hashmap: (maximum - floor) / factor is what is left of it in
// checkpoint bytes), the disk (RocksDB, ForSt: the limit less the state of all jobs, or what is
// free), or a job's own limit; of several, the first that will be full counts. Where a place's size
// or factor is not known, nothing is said of it. Pure.
void ApplyCapacity(const HeapWatch& heap, const DiskSpace& disk, std::vector<JobReport>* jobs);

}  // namespace fss
