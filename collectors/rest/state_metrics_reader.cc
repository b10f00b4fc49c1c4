#include "collectors/rest/state_metrics_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

constexpr std::string_view kLiveBytes = ".rocksdb_estimate-live-data-size";
constexpr std::string_view kKeys = ".rocksdb_estimate-num-keys";
constexpr std::string_view kAsVariable = ".column_family";
constexpr std::string_view kTimers = "_timer_state";
// An operator's name has 80 characters, a state's what its author gave it.
constexpr std::size_t kMaxMetricIdBytes = 1000;
constexpr std::size_t kMaxIds = 1000;
constexpr std::size_t kMaxNumberBytes = 32;

struct StateMetric {
  std::string_view operator_name;
  std::string_view state_name;
  bool live_bytes = false;  // else keys
};

// Points into `id`. Absent for all other metrics.
std::optional<StateMetric> ParseId(std::string_view id) {
  StateMetric metric;
  metric.live_bytes = id.ends_with(kLiveBytes);
  if (!metric.live_bytes && !id.ends_with(kKeys)) return std::nullopt;
  id.remove_suffix(metric.live_bytes ? kLiveBytes.size() : kKeys.size());
  const auto dot = id.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  metric.state_name = id.substr(dot + 1);
  metric.operator_name = id.substr(0, dot);
  if (metric.operator_name.ends_with(kAsVariable)) {
    metric.operator_name.remove_suffix(kAsVariable.size());
  }
  if (metric.operator_name.empty() || metric.state_name.empty() ||
      metric.state_name.starts_with(kTimers)) {
    return std::nullopt;
  }
  return metric;
}

// The id of a row; empty when it has none, or an absurd one.
std::string Id(const rapidjson::Value& row) {
  std::string id = TextMember(row, "id", kMaxMetricIdBytes + 1);
  if (id.size() > kMaxMetricIdBytes) id.clear();
  return id;
}

// Flink writes a double ("sum":822.0); other aggregations and older versions write text.
std::optional<double> Sum(const rapidjson::Value& row) {
  const rapidjson::Value* value = Member(row, "sum");
  if (value == nullptr) return std::nullopt;
  if (value->IsNumber()) return value->GetDouble();
  if (!value->IsString() || value->GetStringLength() > kMaxNumberBytes) return std::nullopt;
  double number = 0;
  const char* end = value->GetString() + value->GetStringLength();
  const auto parsed = std::from_chars(value->GetString(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

}  // namespace

Result<std::vector<std::string>> ReadStateMetricIds(RestAnswer answer) {
  const Result<JsonAnswer> json = JsonAnswer::ParseArray(std::move(answer));
  if (!json.ok()) return json.error();
  std::vector<std::string> ids;
  for (const rapidjson::Value& row : json->root().GetArray()) {
    std::string id = Id(row);
    if (ParseId(id)) ids.push_back(std::move(id));
    if (ids.size() == kMaxIds) break;
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

Result<std::vector<LiveState>> ReadLiveStates(RestAnswer answer,
                                              const std::vector<std::string>& asked) {
  const Result<JsonAnswer> json = JsonAnswer::ParseArray(std::move(answer));
  if (!json.ok()) return json.error();
  StateMetrics metrics;
  for (const rapidjson::Value& row : json->root().GetArray()) {
    const std::string id = Id(row);
    const auto sum = Sum(row);
    if (sum && std::binary_search(asked.begin(), asked.end(), id)) metrics.Add(id, *sum);
  }
  return metrics.TakeStates();
}

std::string LiveBytesMetric(const LiveState& state) {
  return state.operator_name + "." + state.state_name + std::string(kLiveBytes);
}

std::string KeysMetric(const LiveState& state) {
  return state.operator_name + "." + state.state_name + std::string(kKeys);
}

void StateMetrics::Add(std::string_view id, double value) {
  // Exclusive: what RocksDB estimates below zero comes as nearly 2^64.
  constexpr double kLimit = 9223372036854775808.0;
  const auto metric = ParseId(id);
  if (!metric || !std::isfinite(value) || value < 0 || value >= kLimit) return;
  std::string operator_name(metric->operator_name);
  std::string state_name(metric->state_name);
  LiveState& state = states_[{operator_name, state_name}];
  state.operator_name = std::move(operator_name);
  state.state_name = std::move(state_name);
  (metric->live_bytes ? state.live_bytes : state.keys) = static_cast<std::int64_t>(value);
}

std::vector<LiveState> StateMetrics::TakeStates() {
  std::vector<LiveState> states;
  states.reserve(states_.size());
  for (auto& [name, state] : states_) states.push_back(std::move(state));
  states_.clear();
  return states;
}

}  // namespace fss
