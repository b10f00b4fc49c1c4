// Comparing graphs by shape: colour refinement (Weisfeiler and Leman).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fss {

// A directed graph whose nodes carry labels. Loops do no harm.
struct LabelledGraph {
  std::vector<std::uint64_t> labels;
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // from, to
};

// A colour per node: equal colours in two graphs of the same size mean the same label in the same
// surroundings, upstream and downstream. Cost: edges times rounds, at most 64 rounds.
std::vector<std::uint64_t> RefineColors(const LabelledGraph& graph);

// One number for a whole graph, whatever the order of its nodes.
std::uint64_t ShapeOf(std::vector<std::uint64_t> colors);

std::uint64_t HashText(std::string_view text);
std::uint64_t MixHash(std::uint64_t a, std::uint64_t b);

}  // namespace fss
