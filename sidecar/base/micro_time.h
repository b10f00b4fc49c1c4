// Times as Kubernetes has them. Pure; safe from any thread.
#pragma once

#include <cstdint>
#include <string>

namespace fss {

// "2026-11-30T13:35:56.123000Z": milliseconds since 1970 as a MicroTime.
std::string MicroTime(std::int64_t wall_ms);

}  // namespace fss
