#include "sidecar/analysis/sqlite_point.h"

#include <algorithm>
#include <limits>

namespace fss {
namespace {

constexpr char kInsert[] =
    "INSERT INTO point(line, t_ms, subject, mid, low, high, weight) VALUES(?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING";

// False for NaN as well.
bool IsSize(double bytes) { return bytes >= 0 && bytes <= std::numeric_limits<float>::max(); }

}  // namespace

std::optional<SizePoint> PointOf(const SqliteQuery& row) {
  const double mid = row.Real(2).value_or(-1);
  const double low = row.Real(3).value_or(mid);
  const double high = row.Real(4).value_or(mid);
  if (!IsSize(mid) || !IsSize(low) || !IsSize(high)) return std::nullopt;
  SizePoint point;
  point.t_ms = row.Int(0);
  point.low = static_cast<float>(low);
  point.mid = static_cast<float>(mid);
  point.high = static_cast<float>(high);
  if (!row.Null(5)) {
    constexpr std::int64_t kMaxWeight = std::numeric_limits<std::uint32_t>::max();
    point.weight = static_cast<std::uint32_t>(std::clamp<std::int64_t>(row.Int(5), 1, kMaxWeight));
  }
  return point;
}

void InsertPoint(SqliteDb* db, std::int64_t line, std::int64_t subject, const SizePoint& point) {
  if (!IsSize(point.mid) || !IsSize(point.low) || !IsSize(point.high)) return;
  std::optional<double> low;
  if (point.low != point.mid) low = point.low;
  std::optional<double> high;
  if (point.high != point.mid) high = point.high;
  std::optional<std::uint32_t> weight;
  if (point.weight > 1) weight = point.weight;
  db->Run(kInsert, line, point.t_ms, subject, static_cast<double>(point.mid), low, high, weight);
}

}  // namespace fss
