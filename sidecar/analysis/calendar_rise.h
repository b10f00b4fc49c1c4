// A rise beneath the cycles of the calendar: today against yesterday at the same hour, this week
// against the last. Needs little more than two cycles, where blocks need four.
#pragma once

#include <optional>
#include <span>

#include "sidecar/analysis/blocks.h"

namespace fss {

struct CalendarRise {
  double slope = 0;  // bytes per second
  double level = 0;  // the mean of the cycle, now
};

// The rise from cycle to cycle when nearly all of the newest cycles lie above the same time one
// cycle before, by about as much. Tries a day and a week. Reads kMaxSizePoints.
std::optional<CalendarRise> FindCalendarRise(std::span<const LinePoint> points);

}  // namespace fss
