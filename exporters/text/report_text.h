// What people read: the operator table and the findings of `scan`.
#pragma once

#include <cstddef>
#include <string>

#include "sidecar/model/report.h"

namespace fss {

struct TextOptions {
  std::size_t width = 100;  // columns to fit; findings wrap there
  bool color = false;       // ANSI colours, on a terminal only
};

// Pure; safe from any thread. No line holds a control character that came from outside.
std::string ReportText(const Report& report, const TextOptions& options);

}  // namespace fss
