// joinable-chain: regular joins on one key, one on the result of the other, on a Flink that can
// make one multi-join of them (2.1 on).
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

// One finding for the topmost join of each chain, info. A chain is what Flink's rule merges (tried
// on 2.3.0): inner and left outer joins, each on the left input of the next one, that have a key
// column in common. A column list of a view between two joins keeps Flink from merging them and
// cannot always be told from one that Flink made: the advice says so.
class JoinableChainDetector final : public PlanDetector {
 public:
  void Inspect(const PlanContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
