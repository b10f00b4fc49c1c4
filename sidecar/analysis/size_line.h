// The sizes of one operator (or state entry) over time, in bounded memory.
//
// A line keeps at most kMaxSizePoints points however long it gets. When it is full, the two
// neighbours whose merger costs least resolution are merged; resolution falls with age, so that a
// line of weeks still shows the last hours closely. A merged point remembers the least size it
// stands for: the floor of a saw-tooth survives thinning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fss {

// One checkpoint's size, or several neighbours' when thinned. 16 bytes: a cluster has millions.
class SizePoint {
 public:
  // Times until the year 2527, and a million checkpoints, as bits of one number.
  static constexpr std::int64_t kMostMillis = (std::int64_t{1} << 44) - 1;
  static constexpr std::uint32_t kMostWeight = (std::uint32_t{1} << 20) - 1;

  SizePoint() = default;
  // What is beyond the most, or below zero, becomes the most, or zero.
  SizePoint(std::int64_t t_ms, float low_bytes, float mid_bytes, std::uint32_t weight = 1);

  // Trigger time; of a merged point the mean.
  [[nodiscard]] std::int64_t t_ms() const {
    return static_cast<std::int64_t>(time_and_weight_ >> kWeightBits);
  }
  // Checkpoints it stands for.
  [[nodiscard]] std::uint32_t weight() const {
    return static_cast<std::uint32_t>(time_and_weight_ & kMostWeight);
  }

  // Two neighbours as one: the least low, time and mean by weight. `a` is the older.
  static SizePoint Merge(const SizePoint& a, const SizePoint& b);

  bool operator==(const SizePoint&) const = default;

  float low = 0;  // bytes: the least and the mean size
  float mid = 0;

 private:
  static constexpr int kWeightBits = 20;

  std::uint64_t time_and_weight_ = 1;
};
static_assert(sizeof(SizePoint) == 16);

// Enough for 16 blocks of 8 points; 20,000 lines of it take 40 MiB.
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
