// The few words that are taken out of the XML answers of S3 and STS. Pure; safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fss {

// The text of the first element `name` that holds text alone, escapes undone: "AccessDenied" of
// "<Error><Code>AccessDenied</Code>…". Absent when there is none or it is cut. No XML parser: it
// does not tell an element from the same letters in a comment or CDATA, which these answers lack.
std::optional<std::string> XmlText(std::string_view xml, std::string_view name);

// "2026-11-30T10:09:36Z", with or without a fraction: milliseconds since 1970 (fractions left out).
std::optional<std::int64_t> MillisOfIsoTime(std::string_view text);

}  // namespace fss
