// What the sidecar counts about itself, from process start. A value, copied into each export.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fss {

// Upper bounds of the poll duration histogram, seconds. From a poll of one small cluster to one
// that no longer fits the default interval of 15 s.
inline constexpr std::array<double, 11> kPollDurationBounds = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                                               1,    2.5,   5,    10,  30};

struct SidecarStats {
  // Polls by duration; [i] counts those at or below bound i (not cumulative), the last the rest.
  std::array<std::uint64_t, kPollDurationBounds.size() + 1> poll_durations{};
  double poll_duration_sum_seconds = 0;
  // Requests by outcome: "2xx", "4xx", "5xx", "timeout", "unreachable", "too-large", "malformed".
  std::map<std::string, std::uint64_t> rest_requests;
  std::uint64_t rest_response_bytes = 0;
  // Outcome of each collector's last run: "flink", "plans".
  std::map<std::string, bool> collector_success;
  // Of the sidecar as a whole, where it looks for its clusters itself: how many it polls, and,
  // where replicas elect one that polls, whether it is this one.
  std::optional<std::uint64_t> clusters = std::nullopt;
  std::optional<bool> leader = std::nullopt;
};

}  // namespace fss
