#include "sidecar/analysis/topology.h"

#include <algorithm>

namespace fss {
namespace {

// After as many rounds as the graph is long, colours tell no more; jobs are far shorter than this.
constexpr std::size_t kMaxRounds = 64;
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;

// Ways into and out of a node must not look alike.
constexpr std::uint64_t kUpstream = 1;
constexpr std::uint64_t kDownstream = 2;

std::uint64_t Scramble(std::uint64_t x) {
  x ^= x >> 30U;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27U;
  x *= 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

std::uint64_t MixHash(std::uint64_t a, std::uint64_t b) {
  return Scramble(a * kGolden + Scramble(b + kGolden));
}

std::uint64_t HashText(std::string_view text) {
  constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325U;
  constexpr std::uint64_t kFnvPrime = 0x100000001b3U;
  std::uint64_t hash = kFnvOffset;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return hash;
}

std::vector<std::uint64_t> RefineColors(const LabelledGraph& graph) {
  std::vector<std::uint64_t> colors = graph.labels;
  std::vector<std::uint64_t> next(colors.size());
  const std::size_t rounds = std::min(colors.size(), kMaxRounds);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < colors.size(); ++i) next[i] = MixHash(colors[i], 0);
    // Sums do not depend on the order of the neighbours, and count equal ones.
    for (const auto& [from, to] : graph.edges) {
      next[to] += MixHash(colors[from], kUpstream);
      next[from] += MixHash(colors[to], kDownstream);
    }
    colors.swap(next);
  }
  return colors;
}

std::uint64_t ShapeOf(std::vector<std::uint64_t> colors) {
  std::sort(colors.begin(), colors.end());
  std::uint64_t shape = colors.size();
  for (std::uint64_t color : colors) shape = MixHash(shape, color);
  return shape;
}

}  // namespace fss
