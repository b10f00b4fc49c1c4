// An alert as Alertmanager takes it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fss {

using AlertPairs = std::vector<std::pair<std::string, std::string>>;

// Two alerts with equal labels are one alert to Alertmanager. A value, safe from any thread.
struct Alert {
  AlertPairs labels;           // no name twice, no empty value
  AlertPairs annotations;      // likewise
  std::int64_t starts_ms = 0;  // since when it fires; milliseconds since 1970
  // Until when it stands without another word of ours; what lies behind now is resolved.
  std::int64_t ends_ms = 0;
};

}  // namespace fss
