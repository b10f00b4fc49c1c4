#include "sidecar/analysis/heap_watch.h"

#include <algorithm>
#include <cmath>

#include "sidecar/analysis/restore_advice.h"

namespace fss {
namespace {

// At a poll every 15 s a block is two minutes at first: a TaskManager that works collects its young
// generation in that time.
constexpr int kSamplesPerBlock = 8;
// When there are more, neighbours are merged and blocks become twice as long.
constexpr std::size_t kMaxHeapBlocks = 48;
// Fewer say nothing of a slope.
constexpr std::size_t kLeastBlocks = 5;
// The floor must have risen by this share of the heap before the slope is more than noise …
constexpr double kLeastRise = 0.05;
// … and the state by this one: less of it would not be seen in the heap, what is seen is another's.
constexpr double kLeastStateRise = 0.005;
// … and of all pairs of blocks, this share must have more heap where there is more state.
constexpr double kLeastAgreement = 0.8;
// Outside of these it is not the state that fills the heap.
constexpr double kLeastFactor = 1;
constexpr double kGreatestFactor = 100;

struct JobOnHeap {
  double bytes = 0;  // of the latest checkpoint
  int slots = 0;     // on all TaskManagers
};

std::map<std::string, JobOnHeap> HeapJobs(const ClusterSnapshot& snapshot) {
  std::map<std::string, JobOnHeap> jobs;
  for (const JobSnapshot& job : snapshot.jobs) {
    if (job.Terminal() || BackendFamilyOf(job.config) != BackendFamily::kHashMap || !job.latest)
      continue;
    JobOnHeap& held = jobs[job.id];
    for (const auto& [vertex, size] : job.latest->vertices) {
      held.bytes += static_cast<double>(size.state_size);
    }
  }
  for (const TaskManagerSnapshot& manager : snapshot.task_managers) {
    for (const auto& [job, slots] : manager.slots_by_job) {
      const auto found = jobs.find(job);
      if (found != jobs.end()) found->second.slots += slots;
    }
  }
  return jobs;
}

double MedianOf(std::vector<double>* values) {
  const auto middle = values->begin() + static_cast<std::ptrdiff_t>(values->size() / 2);
  std::nth_element(values->begin(), middle, values->end());
  return *middle;
}

}  // namespace

void HeapWatch::Observe(const ClusterSnapshot& snapshot) {
  const std::map<std::string, JobOnHeap> jobs = HeapJobs(snapshot);
  std::map<std::string, Watch> watches;
  heaps_.clear();
  for (const TaskManagerSnapshot& manager : snapshot.task_managers) {
    if (!manager.heap_used || !manager.heap_max || *manager.heap_max <= 0) continue;
    Heap heap;
    heap.max = static_cast<double>(*manager.heap_max);
    double state = 0;
    for (const auto& [job, slots] : manager.slots_by_job) {
      const auto found = jobs.find(job);
      if (found == jobs.end() || found->second.slots <= 0) continue;
      const double share = found->second.bytes * slots / found->second.slots;
      heap.state_by_job[job] = share;
      state += share;
    }
    Watch& watch = watches[manager.id];
    const auto before = watches_.find(manager.id);
    if (before != watches_.end()) watch = std::move(before->second);
    if (manager.taken_ms > watch.last_ms) {
      watch.last_ms = manager.taken_ms;
      AddSample(static_cast<double>(*manager.heap_used), state, &watch);
    }
    const std::size_t blocks = watch.blocks.size();
    if (blocks < 2 && watch.blocks.back().samples < kSamplesPerBlock) continue;
    heap.floor = watch.blocks.back().least_used;
    // A block that has just begun may not have seen a collection yet.
    if (watch.blocks.back().samples < kSamplesPerBlock) {
      heap.floor = std::min(heap.floor, watch.blocks[blocks - 2].least_used);
    }
    heap.factor = LearnFactor(watch, heap.max);
    heaps_.emplace(manager.id, std::move(heap));
  }
  watches_ = std::move(watches);
}

void HeapWatch::AddSample(double used, double state, Watch* watch) {
  if (watch->samples_per_block == 0) watch->samples_per_block = kSamplesPerBlock;
  std::vector<Block>& blocks = watch->blocks;
  if (blocks.empty() || blocks.back().samples >= watch->samples_per_block) {
    if (blocks.size() >= kMaxHeapBlocks) {
      for (std::size_t i = 0; i < blocks.size() / 2; ++i) {
        const Block& a = blocks[2 * i];
        const Block& b = blocks[2 * i + 1];
        Block merged = a.least_used <= b.least_used ? a : b;
        merged.samples = a.samples + b.samples;
        blocks[i] = merged;
      }
      blocks.resize(blocks.size() / 2);
      watch->samples_per_block *= 2;
    }
    blocks.push_back({0, used, state});
  }
  Block& block = blocks.back();
  ++block.samples;
  if (used <= block.least_used) {
    block.least_used = used;
    block.state = state;
  }
}

// The median slope of floor over state between all pairs of blocks (Theil and Sen): a few blocks
// without a collection do not spoil it.
std::optional<double> HeapWatch::LearnFactor(const Watch& watch, double max) {
  std::vector<Block> full = watch.blocks;
  if (!full.empty() && full.back().samples < kSamplesPerBlock) full.pop_back();
  if (full.size() < kLeastBlocks) return std::nullopt;
  const auto [least, most] = std::ranges::minmax_element(full, {}, &Block::state);
  if (most->state - least->state < kLeastStateRise * max) return std::nullopt;
  const double most_state = most->state;
  std::vector<double> slopes;
  std::vector<double> rises;
  std::size_t agree = 0;
  for (std::size_t a = 0; a < full.size(); ++a) {
    for (std::size_t b = a + 1; b < full.size(); ++b) {
      const double more_state = full[b].state - full[a].state;
      // Neighbours with about the same state tell noise.
      if (std::abs(more_state) < 0.1 * most_state) continue;
      const double more_heap = full[b].least_used - full[a].least_used;
      slopes.push_back(more_heap / more_state);
      rises.push_back(std::abs(more_heap));
      if ((more_heap > 0) == (more_state > 0)) ++agree;
    }
  }
  if (slopes.size() < kLeastBlocks) return std::nullopt;
  if (static_cast<double>(agree) < kLeastAgreement * static_cast<double>(slopes.size())) {
    return std::nullopt;
  }
  if (*std::ranges::max_element(rises) < kLeastRise * max) return std::nullopt;
  const double factor = MedianOf(&slopes);
  if (factor < kLeastFactor || factor > kGreatestFactor) return std::nullopt;
  return factor;
}

}  // namespace fss
