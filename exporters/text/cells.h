// Cells of the operator tables of `scan` and `lint`. Pure; safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sidecar/model/operator_kind.h"
#include "sidecar/model/trend.h"

namespace fss {

// So that a hostile name cannot push the numbers off the screen.
inline constexpr std::size_t kOperatorColumns = 40;
inline constexpr std::size_t kStateColumns = 32;

// "1 d", "30 min !" when suspicious, "for ever"; where no plan tells it but the checkpoint does,
// "for ever" or "on"; "?" when not known.
std::string TtlCell(const std::optional<std::int64_t>& ttl_ms, bool suspicious,
                    const std::optional<bool>& enabled = std::nullopt);

// How the state of an operator without entries goes away: "by watermark", "connector's own", ….
// `in_plan`: a plan was there to list the entries.
std::string CleanupCell(Cleanup cleanup, bool in_plan);

// Whether an operator gets rows of its own. Sources, sinks and stateless operators share a line.
bool HasOwnRows(std::size_t entries, Cleanup cleanup);

// The TTL cell of an operator without entries. Only a TTL that nobody told is a question; a
// watermark or a bound is the answer itself.
std::string TtlCellWithoutEntries(Cleanup cleanup);

// "+2.1 KiB/s", "-12 B/s", "flat"; empty while nothing is known.
std::string GrowthCell(const Trend& trend);

// "filling, settles near 177 MiB", "growing, full in 3 d", "growing past its TTL"; empty while
// nothing is known.
std::string VerdictCell(const Trend& trend, const std::optional<std::int64_t>& seconds_until_full);

// Counts the operators that get no row of their own: those without keyed state.
class Leftovers {
 public:
  void Add(std::string_view kind, const std::optional<std::int64_t>& size_bytes);

  bool any() const { return count_ > 0; }
  std::string Who() const;   // "Source, sink, others"
  std::string What() const;  // "3 operators without keyed state (12 KiB)"

 private:
  std::size_t count_ = 0;
  bool sources_ = false;
  bool sinks_ = false;
  bool others_ = false;
  std::optional<std::int64_t> size_bytes_;
};

}  // namespace fss
