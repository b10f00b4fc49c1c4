// What `replay` prints as JSON: {"verdicts":[…],"findings":[FINDING…]}.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sidecar/model/report.h"

namespace fss {

// When a vertex' operator was first said to be growing, by vertex id.
using FirstGrowing = std::map<std::string, std::int64_t>;

// One line, without a line break. `t_ms`, where given, is the checkpoint's time. Pure.
std::string ReplayJson(const Report& report, const FirstGrowing& first_growing,
                       std::optional<std::int64_t> t_ms);

}  // namespace fss
