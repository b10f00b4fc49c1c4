#include "sidecar/analysis/sqlite_point.h"

#include <algorithm>
#include <limits>

namespace fss {
namespace {

constexpr char kInsert[] =
    "INSERT INTO point(line, t_ms, subject, mid, low, weight) VALUES(?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING";

// False for NaN as well.
bool IsSize(double bytes) { return bytes >= 0 && bytes <= std::numeric_limits<float>::max(); }

}  // namespace

std::optional<SizePoint> PointOf(const SqliteQuery& row) {
  const double mid = row.Real(2).value_or(-1);
  const double low = row.Real(3).value_or(mid);
  const std::int64_t t_ms = row.Int(0);
  if (!IsSize(mid) || !IsSize(low) || t_ms < 0 || t_ms > SizePoint::kMostMillis) {
    return std::nullopt;
  }
  const std::int64_t weight = row.Null(4) ? 1 : row.Int(4);
  return SizePoint(
      t_ms, static_cast<float>(low), static_cast<float>(mid),
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(weight, 1, SizePoint::kMostWeight)));
}

void InsertPoint(SqliteDb* db, std::int64_t line, std::int64_t subject, const SizePoint& point) {
  if (!IsSize(point.mid) || !IsSize(point.low)) return;
  std::optional<double> low;
  if (point.low != point.mid) low = point.low;
  std::optional<std::uint32_t> weight;
  if (point.weight() > 1) weight = point.weight();
  db->Run(kInsert, line, point.t_ms(), subject, static_cast<double>(point.mid), low, weight);
}

}  // namespace fss
