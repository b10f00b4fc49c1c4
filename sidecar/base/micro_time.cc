#include "sidecar/base/micro_time.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace fss {

std::string MicroTime(std::int64_t wall_ms) {
  const std::time_t seconds = wall_ms / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> date{};
  const std::size_t n = std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03d000Z", static_cast<int>(wall_ms % 1000));
  return std::string(date.data(), n) + fraction.data();
}

}  // namespace fss
