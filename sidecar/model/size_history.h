// The sizes of a job's operators over time, a few points each: what a small picture needs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fss {

// Eight bytes: a cluster has hundreds of thousands.
struct SizeOverTime {
  std::uint32_t seconds = 0;  // since SizeHistory::begin_ms
  float bytes = 0;
};

// Immutable once it is in a Report; reports of several polls share it.
class SizeHistory {
 public:
  explicit SizeHistory(std::int64_t begin_ms) : begin_ms_(begin_ms) {}

  // The points of the operator at this place of JobReport::operators, oldest first. Operators in
  // ascending order.
  void Add(std::uint32_t op, std::span<const SizeOverTime> points) {
    points_.insert(points_.end(), points.begin(), points.end());
    lines_.push_back({op, static_cast<std::uint32_t>(points_.size())});
  }
  void ShrinkToFit() {
    points_.shrink_to_fit();
    lines_.shrink_to_fit();
  }

  // Empty where it has no line of that operator.
  std::span<const SizeOverTime> Of(std::size_t op) const {
    std::uint32_t begin = 0;
    for (const Line& line : lines_) {
      if (line.op == op) return std::span(points_).subspan(begin, line.end - begin);
      begin = line.end;
    }
    return {};
  }
  std::int64_t begin_ms() const { return begin_ms_; }

 private:
  struct Line {
    std::uint32_t op;
    std::uint32_t end;  // in points_; it begins where the line before ends
  };

  std::int64_t begin_ms_;
  std::vector<Line> lines_;
  std::vector<SizeOverTime> points_;
};

}  // namespace fss
