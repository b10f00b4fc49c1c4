#include "collectors/store/xml_text.h"

#include <charconv>
#include <chrono>
#include <cstddef>

#include "sidecar/base/text.h"

namespace fss {
namespace {

// The digits at `at`, `count` of them.
std::optional<int> Digits(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return std::nullopt;
  int value = 0;
  const char* const end = text.data() + at + count;
  const auto [stop, error] = std::from_chars(text.data() + at, end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string> XmlText(std::string_view xml, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::string close = "</" + std::string(name) + ">";
  for (auto at = xml.find(open); at != std::string_view::npos; at = xml.find(open, at)) {
    at += open.size();
    const auto end = xml.find('<', at);
    if (end == std::string_view::npos) return std::nullopt;
    if (xml.substr(end).starts_with(close)) return UnescapeHtml(xml.substr(at, end - at));
  }
  return std::nullopt;
}

std::optional<std::int64_t> MillisOfIsoTime(std::string_view text) {
  constexpr std::size_t kWithoutFraction = 19;  // "2026-11-30T10:09:36"
  const auto year = Digits(text, 0, 4);
  const auto month = Digits(text, 5, 2);
  const auto day = Digits(text, 8, 2);
  const auto hour = Digits(text, 11, 2);
  const auto minute = Digits(text, 14, 2);
  const auto second = Digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  std::string_view zone = text.substr(kWithoutFraction);
  if (zone.starts_with('.')) {
    const auto end = zone.find_first_not_of("0123456789", 1);
    zone = end == std::string_view::npos ? std::string_view() : zone.substr(end);
  }
  if (text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
      zone != "Z") {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)});
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const auto time = std::chrono::sys_days(date) + std::chrono::hours(*hour) +
                    std::chrono::minutes(*minute) + std::chrono::seconds(*second);
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

}  // namespace fss
