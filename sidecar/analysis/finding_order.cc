#include "sidecar/analysis/finding_order.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace fss {
namespace {

// Job names are long and begin alike: findings are compared by the place of their job's name among
// all of them.
std::vector<std::size_t> RanksOfJobs(const std::vector<Finding>& findings) {
  std::vector<std::string_view> names;
  for (const Finding& finding : findings) {
    if (names.empty() || names.back() != finding.job) names.emplace_back(finding.job);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::size_t> ranks;
  ranks.reserve(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (i > 0 && findings[i].job == findings[i - 1].job) {
      ranks.push_back(ranks.back());
      continue;
    }
    const auto at = std::ranges::lower_bound(names, std::string_view(findings[i].job));
    ranks.push_back(static_cast<std::size_t>(at - names.begin()));
  }
  return ranks;
}

auto WithinJob(const Finding& finding) {
  return std::tie(finding.operator_label, finding.state, finding.code, finding.job_id,
                  finding.vertex_id, finding.node_id);
}

}  // namespace

// Findings are large and many: their places are sorted, then each moves to its own, without a
// second list of them.
void SortAndDedupe(std::vector<Finding>* findings) {
  std::vector<Finding>& all = *findings;
  const std::vector<std::size_t> ranks = RanksOfJobs(all);
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (all[a].severity != all[b].severity) return all[a].severity > all[b].severity;
    if (ranks[a] != ranks[b]) return ranks[a] < ranks[b];
    const auto at_a = WithinJob(all[a]);
    const auto at_b = WithinJob(all[b]);
    return at_a != at_b ? at_a < at_b : a < b;
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Round the cycle that i is in.
    for (std::size_t to = i; order[to] != to;) {
      const std::size_t from = std::exchange(order[to], to);
      if (from == i) break;
      std::swap(all[to], all[from]);
      to = from;
    }
  }
  const auto same = [](const Finding& a, const Finding& b) { return a.SamePlace(b); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
}

}  // namespace fss
