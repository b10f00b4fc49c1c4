#include "sidecar/analysis/finding_ages.h"

#include <utility>

namespace fss {
namespace {

// The fields of Finding::SamePlace as one text.
std::string PlaceOf(const Finding& finding) {
  std::string place;
  constexpr std::size_t kLengths = 48;  // of six fields; and the node's id
  place.reserve(finding.code.size() + finding.job_id.size() + finding.vertex_id.size() +
                finding.operator_label.size() + finding.state.size() + finding.plan.size() +
                kLengths);
  for (const std::string* field : {&finding.code, &finding.job_id, &finding.vertex_id,
                                   &finding.operator_label, &finding.state, &finding.plan}) {
    place += std::to_string(field->size());
    place += ':';
    place += *field;
  }
  if (finding.node_id) place += std::to_string(*finding.node_id);
  return place;
}

}  // namespace

void FindingAges::Learn(const std::vector<HistoryChanges::FirstSeen>& findings) {
  for (const auto& finding : findings) {
    first_seen_.try_emplace(finding.place, finding.first_seen_ms);
  }
}

void FindingAges::Stamp(std::int64_t now_ms, std::vector<Finding>* findings,
                        HistoryChanges* changes) {
  std::unordered_map<std::string, std::int64_t> now;
  now.reserve(findings->size());
  for (Finding& finding : *findings) {
    std::string place = PlaceOf(finding);
    if (auto before = first_seen_.extract(place)) {
      finding.first_seen_ms = before.mapped();
      now.insert(std::move(before));
      continue;
    }
    // Unless it is the second one at a place.
    const auto [at, begins] = now.try_emplace(std::move(place), now_ms);
    finding.first_seen_ms = at->second;
    if (begins) changes->begun.push_back({at->first, now_ms});
  }
  for (const auto& [place, first_seen_ms] : first_seen_) changes->ended.push_back(place);
  first_seen_ = std::move(now);
}

void FindingAges::DescribeAll(HistoryChanges* changes) const {
  for (const auto& [place, first_seen_ms] : first_seen_) {
    changes->begun.push_back({place, first_seen_ms});
  }
}

}  // namespace fss
