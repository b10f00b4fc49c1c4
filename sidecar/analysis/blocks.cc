#include "sidecar/analysis/blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fss {
namespace {

// A block of this many points gives its second lowest: one broken checkpoint is no floor.
constexpr std::size_t kRobustBlock = 5;

class BlockBuilder {
 public:
  void Add(const LinePoint& p) {
    // Without branches: sizes are of no order, and this is where a poll's time goes.
    second_ = std::min(second_, std::max(lowest_, p.low));
    lowest_ = std::min(lowest_, p.low);
    mid_ += p.mid;
    at_ += p.at;
    ++count_;
  }
  void Close(Blocks& blocks) {
    if (count_ == 0) return;
    const auto n = static_cast<double>(count_);
    blocks.low.Add(at_ / n, count_ >= kRobustBlock ? second_ : lowest_);
    blocks.mid.Add(at_ / n, mid_ / n);
    *this = BlockBuilder();
  }

 private:
  std::size_t count_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity();
  double second_ = std::numeric_limits<double>::infinity();
  double mid_ = 0;
  double at_ = 0;
};

}  // namespace

Blocks Cut(std::span<const LinePoint> points, std::size_t count) {
  Blocks blocks;
  const double start = points.front().at;
  blocks.end = points.back().at;
  const double width = (blocks.end - start) / static_cast<double>(count);
  BlockBuilder builder;
  double edge = start + width;
  for (const LinePoint& p : points) {
    if (p.at >= edge && blocks.low.size + 1 < count) {
      builder.Close(blocks);
      // Gaps leave edges behind; the last block holds the window's end.
      edge += width * (1 + std::floor((p.at - edge) / width));
    }
    builder.Add(p);
  }
  builder.Close(blocks);
  return blocks;
}

}  // namespace fss
