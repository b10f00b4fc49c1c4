#include "exporters/json/alert_json.h"

#include <chrono>
#include <cstdio>

#include "exporters/json/json_writer.h"

namespace fss {
namespace {

void WritePairs(std::string_view name, const AlertPairs& pairs, JsonWriter* writer) {
  writer->BeginObject(name);
  for (const auto& [key, value] : pairs) writer->Text(key, value);
  writer->EndObject();
}

}  // namespace

std::string Rfc3339(std::int64_t millis) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(millis)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  char text[48];
  std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

std::string AlertsJson(std::span<const Alert> alerts, std::string_view generator_url) {
  return JsonText([&](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginArray();
    for (const Alert& alert : alerts) {
      writer.BeginObject();
      WritePairs("labels", alert.labels, &writer);
      WritePairs("annotations", alert.annotations, &writer);
      writer.Text("startsAt", Rfc3339(alert.starts_ms));
      writer.Text("endsAt", Rfc3339(alert.ends_ms));
      writer.TextIfAny("generatorURL", generator_url);
      writer.EndObject();
    }
    writer.EndArray();
    writer.Finish();
  });
}

}  // namespace fss
