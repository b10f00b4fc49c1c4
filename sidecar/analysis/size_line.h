// The sizes of one operator (or state entry) over time, in bounded memory.
//
// A line keeps at most kMaxSizePoints points however long it gets. When it is full, the two
// neighbours whose merger costs least resolution are merged; resolution falls with age, so that a
// line of weeks still shows the last hours closely. A merged point remembers the least and the
// greatest size it stands for: the floor of a saw-tooth survives thinning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fss {

// One checkpoint's size, or several neighbours' when thinned.
struct SizePoint {
  std::int64_t t_ms = 0;  // trigger time; of a merged point the mean
  float low = 0;          // bytes: the least, the mean and the greatest size
  float mid = 0;
  float high = 0;
  std::uint32_t weight = 1;  // checkpoints it stands for
};

// Enough for 16 blocks of 8 points; 20,000 lines of it take 60 MiB.
inline constexpr std::size_t kMaxSizePoints = 128;

// Not thread safe. Add is O(kMaxSizePoints).
class SizeLine {
 public:
  // Adds a checkpoint; usually it is newer than all. False when there is one of that time already:
  // a checkpoint never changes. Savepoints do not belong here: their size is of another format.
  bool Add(std::int64_t t_ms, std::int64_t bytes);

  // The same for a point that a history thinned before.
  bool Add(const SizePoint& point);

  // For a job that began again without its state.
  void Clear();

  std::span<const SizePoint> points() const { return points_; }
  bool empty() const { return points_.empty(); }
  // Checkpoints seen, thinned or not.
  std::uint64_t checkpoints() const { return checkpoints_; }

 private:
  void MergeCheapestPair();

  std::vector<SizePoint> points_;
  std::uint64_t checkpoints_ = 0;
};

}  // namespace fss
