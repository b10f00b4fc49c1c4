// An edge of a running job's graph of operators.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace fss {

// Places in JobReport::operators: rows go from one to the other.
struct OperatorEdge {
  std::uint32_t to = 0;
  std::uint32_t from = 0;
  auto operator<=>(const OperatorEdge&) const = default;
};

// By `to`, then in input order (left first).
using OperatorEdges = std::vector<OperatorEdge>;

}  // namespace fss
