#include "sidecar/analysis/bound_advice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "sidecar/analysis/entry_reason.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/restore_advice.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// Beyond it no number means anything: 8 EiB.
constexpr double kMostBytes = 9e18;

std::int64_t Whole(double bytes) {
  return static_cast<std::int64_t>(std::clamp(bytes, 0.0, kMostBytes));
}

}  // namespace

std::string BoundAdvice(const PlanGraph& graph, std::size_t node, const std::string& entry,
                        std::string_view flink_version, std::string_view state_backend) {
  const PlanNode& here = graph.node(node);
  const OperatorKind* row = FindOperatorKind(here.kind);
  std::string advice;
  const EntryReason reason = ReasonOf(graph, node, flink_version);
  if (row != nullptr && !row->instead.empty() && !reason.replaces_kind_advice) {
    advice += std::string(row->instead) + "\n";
  }
  advice += reason.advice;
  advice += HintAdvice(graph, node);
  advice += MeasureAdvice(graph, node);
  advice += JobWideAdvice(graph, node);
  advice += PlanEditAdvice(here, entry, "7 d");
  if (row != nullptr && !row->expiry.empty()) {
    advice += "What a TTL costs: " + std::string(row->expiry) +
              ". It is the least time since a row's last update; the clean-up comes some time "
              "after.\n";
  }
  advice += SwitchSentence(flink_version, state_backend) + "\n";
  advice += "Last, another state backend: it moves the size, it does not stop it.";
  return advice;
}

std::string SettleSentence(double bytes_per_second) {
  struct Choice {
    const char* ttl;
    double seconds;
  };
  constexpr std::array<Choice, 3> kChoices = {
      {{"an hour", 3600}, {"a day", 24.0 * 3600}, {"a week", 7 * 24.0 * 3600}}};
  std::string sentence =
      "To choose with numbers: at " + FormatRate(bytes_per_second) + " what is added settles near ";
  for (std::size_t i = 0; i < kChoices.size(); ++i) {
    if (i > 0) sentence += i + 1 == kChoices.size() ? " and " : ", ";
    sentence += FormatBytes(Whole(bytes_per_second * kChoices[i].seconds)) +
                (i == 0 ? " under a TTL of " : " under ") + kChoices[i].ttl;
  }
  return sentence + ".";
}

std::string FormatRate(double bytes_per_second) {
  const double rate = std::abs(bytes_per_second);
  if (rate > 0 && rate < 1) return "less than 1 B/s";
  return FormatBytes(Whole(std::round(rate))) + "/s";
}

}  // namespace fss
