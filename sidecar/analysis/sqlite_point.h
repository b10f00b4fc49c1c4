// A size as a row of the table `point`.
#pragma once

#include <cstdint>
#include <optional>

#include "sidecar/analysis/size_line.h"
#include "sidecar/analysis/sqlite_db.h"

namespace fss {

// By its line's id, its time and its subject's number.
inline constexpr char kDropPointSql[] =
    "DELETE FROM point WHERE line = ? AND t_ms = ? AND subject = ?";

// A row with the columns t_ms, subject, mid, low, weight. Absent when they are no size: only in a
// broken file.
std::optional<SizePoint> PointOf(const SqliteQuery& row);

// Leaves a point alone that is there already. A point that is no size (not finite, negative) is
// not kept.
void InsertPoint(SqliteDb* db, std::int64_t line, std::int64_t subject, const SizePoint& point);

}  // namespace fss
