#include "sidecar/analysis/finding_ages.h"

#include <utility>

namespace fss {
namespace {

// The fields of Finding::SamePlace as one text.
std::string PlaceOf(const Finding& finding) {
  std::string place;
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
  for (Finding& finding : *findings) {
    std::string place = PlaceOf(finding);
    const auto before = first_seen_.find(place);
    const bool begins = before == first_seen_.end();
    finding.first_seen_ms = begins ? now_ms : before->second;
    if (begins) changes->begun.push_back({place, now_ms});
    now.emplace(std::move(place), *finding.first_seen_ms);
  }
  for (const auto& [place, first_seen_ms] : first_seen_) {
    if (!now.contains(place)) changes->ended.push_back(place);
  }
  first_seen_ = std::move(now);
}

void FindingAges::DescribeAll(HistoryChanges* changes) const {
  for (const auto& [place, first_seen_ms] : first_seen_) {
    changes->begun.push_back({place, first_seen_ms});
  }
}

}  // namespace fss
