// The body of Alertmanager's POST /api/v2/alerts (0.16 on).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "exporters/alertmanager/alert.h"

namespace fss {

// An array of the alerts. `generator_url`: where a reader finds what raised them; may be empty.
std::string AlertsJson(std::span<const Alert> alerts, std::string_view generator_url);

// "2026-11-01T12:00:00.250Z" of milliseconds since 1970.
std::string Rfc3339(std::int64_t millis);

}  // namespace fss
