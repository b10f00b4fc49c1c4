#include "exporters/text/cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sidecar/base/flink_duration.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

std::int64_t WholeBytes(double bytes) {
  constexpr double kMost = 9e18;
  return std::llround(std::clamp(bytes, 0.0, kMost));
}

}  // namespace

std::string TtlCell(const std::optional<std::int64_t>& ttl_ms, bool suspicious,
                    const std::optional<bool>& enabled) {
  if (!ttl_ms) {
    if (!enabled) return "?";
    return *enabled ? "on" : "for ever";
  }
  std::string cell = *ttl_ms == 0 ? "for ever" : FormatFlinkDuration(*ttl_ms);
  return suspicious ? cell.append(" !") : cell;
}

std::string CleanupCell(Cleanup cleanup, bool in_plan) {
  switch (cleanup) {
    case Cleanup::kStateless:
      return "stateless";
    case Cleanup::kTtl:
      return in_plan ? "by TTL, not listed in the plan" : "by TTL, no plan tells it";
    case Cleanup::kWatermark:
      return "by watermark";
    case Cleanup::kBounded:
      return "bounded by its definition";
    case Cleanup::kConnector:
      return "connector's own";
    case Cleanup::kUnknown:
      break;
  }
  return "not known";
}

bool HasOwnRows(std::size_t entries, Cleanup cleanup) {
  return entries > 0 || (cleanup != Cleanup::kStateless && cleanup != Cleanup::kConnector);
}

std::string TtlCellWithoutEntries(Cleanup cleanup) {
  return cleanup == Cleanup::kTtl || cleanup == Cleanup::kUnknown ? "?" : "-";
}

std::string GrowthCell(const Trend& trend) {
  if (trend.verdict == Verdict::kUnknown || !trend.bytes_per_second) {
    return {};
  }
  const double rate = *trend.bytes_per_second;
  if (trend.verdict == Verdict::kFlat || std::abs(rate) < 1) {
    return trend.verdict == Verdict::kFlat ? "flat" : "< 1 B/s";
  }
  return (rate > 0 ? "+" : "-") + FormatBytes(WholeBytes(std::abs(rate))) + "/s";
}

std::string VerdictCell(const Trend& trend, const std::optional<std::int64_t>& seconds_until_full) {
  if (trend.verdict == Verdict::kUnknown) {
    return {};
  }
  std::string cell = VerdictName(trend.verdict);
  if (trend.verdict == Verdict::kGrowing && trend.past_ttl) {
    cell.append(" past its TTL");
  }
  if (trend.plateau_bytes && trend.verdict == Verdict::kFilling) {
    cell.append(", settles near ").append(FormatBytes(WholeBytes(*trend.plateau_bytes)));
  }
  if (seconds_until_full) {
    constexpr std::int64_t kMillis = 1000;
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kMillis;
    const std::int64_t seconds = std::min(*seconds_until_full, kMost);
    cell.append(seconds <= 0 ? ", full" : ", full in " + FormatAge(seconds * kMillis));
  }
  return cell;
}

void Leftovers::Add(std::string_view kind, const std::optional<std::int64_t>& size_bytes) {
  ++count_;
  const bool source = kind.find("source") != std::string_view::npos;
  const bool sink = kind.find("sink") != std::string_view::npos;
  sources_ = sources_ || source;
  sinks_ = sinks_ || sink;
  others_ = others_ || (!source && !sink);
  if (size_bytes) {
    // Sizes come from outside: a sum beyond 63 bits stays at its end.
    std::int64_t sum = 0;
    const bool overflow = __builtin_add_overflow(size_bytes_.value_or(0), *size_bytes, &sum);
    size_bytes_ = overflow ? std::numeric_limits<std::int64_t>::max() : sum;
  }
}

std::string Leftovers::Who() const {
  std::string who;
  const auto add = [&who](bool there, std::string_view name) {
    if (there) {
      who.append(who.empty() ? "" : ", ").append(name);
    }
  };
  add(sources_, "source");
  add(sinks_, "sink");
  add(others_, who.empty() ? "operators" : "others");
  who[0] = static_cast<char>(who[0] - 'a' + 'A');
  return who;
}

std::string Leftovers::What() const {
  std::string what = std::to_string(count_);
  what.append(count_ == 1 ? " operator" : " operators").append(" without keyed state");
  if (size_bytes_.value_or(0) > 0) {
    what.append(" (").append(FormatBytes(*size_bytes_)).append(")");
  }
  return what;
}

}  // namespace fss
