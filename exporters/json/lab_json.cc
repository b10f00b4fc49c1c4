#include "exporters/json/lab_json.h"

#include <algorithm>
#include <utility>

#include "exporters/json/json_writer.h"

namespace fss {

std::string LabReportJson(const LabReport& report) {
  return JsonText([&](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.Text("default_ttl", report.default_ttl);
    writer.Text("join_left_ttl", report.join_left_ttl);
    writer.Text("join_right_ttl", report.join_right_ttl);
    writer.Text("cascade_second_left_ttl", report.cascade_second_left_ttl);
    writer.Int("window_state_entries", report.window_state_entries);
    writer.Text("state_backend", report.state_backend);
    writer.Int("rocks_groups", report.rocks_groups);
    writer.EndObject();
    writer.Finish();
  });
}

std::string LabGradeJson(std::span<const LabStep> steps) {
  return JsonText([&](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.Bool("passed", std::ranges::all_of(steps, &LabStep::passed));
    writer.BeginArray("steps");
    for (const LabStep& step : steps) {
      writer.BeginObject();
      writer.Int("step", step.number);
      writer.Text("name", step.name);
      writer.Bool("passed", step.passed);
      writer.Text("reason", step.reason);
      writer.EndObject();
    }
    writer.EndArray();
    writer.EndObject();
    writer.Finish();
  });
}

}  // namespace fss
