#include "collectors/lab/answer_reader.h"

#include <utility>

#include "collectors/lab/malformed.h"
#include "collectors/rest/checkpoint_config_reader.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

constexpr std::size_t kMaxNameBytes = 32U << 10U;
constexpr std::size_t kMaxFieldBytes = 256;

RestAnswer Saved(std::string text) { return {200, "application/json", std::move(text)}; }

// curl saves errors as it saves answers.
Status CheckNoError(const std::string& text) {
  Result<JsonAnswer> json = JsonAnswer::Parse(Saved(text));
  if (!json.ok()) return json.error();
  if (ArrayMember(json->root(), "errors") == nullptr) return OkStatus();
  return MalformedLab("an error of Flink's: " + ErrorLine(Saved(text)));
}

Status TakeText(const rapidjson::Value& root, const char* name, std::string* text) {
  const rapidjson::Value* value = Member(root, name);
  if (value == nullptr) return MalformedLab(std::string("no ") + name + " in it");
  if (!value->IsString()) return MalformedLab(std::string(name) + " is not a text");
  *text = TextMember(root, name, kMaxFieldBytes);
  return OkStatus();
}

Status TakeCount(const rapidjson::Value& root, const char* name, std::int64_t* count) {
  const rapidjson::Value* value = Member(root, name);
  if (value == nullptr) return MalformedLab(std::string("no ") + name + " in it");
  const auto number = CountMember(root, name);
  if (!number) return MalformedLab(std::string(name) + " is not a whole number of 0 or more");
  *count = *number;
  return OkStatus();
}

}  // namespace

Result<LabJob> ReadLabJob(std::string text) {
  const Status answer = CheckNoError(text);
  if (!answer.ok()) return answer.error();
  Result<JsonAnswer> json = JsonAnswer::Parse(Saved(std::move(text)));
  if (!json.ok()) return json.error();
  LabJob job;
  job.name = TextMember(json->root(), "name", kMaxNameBytes);
  job.type = TextMember(json->root(), "job-type", kMaxFieldBytes);
  if (job.name.empty()) return MalformedLab("not an answer of /jobs/:jid (no name)");
  return job;
}

Result<std::string> ReadLabBackend(std::string text) {
  const Status answer = CheckNoError(text);
  if (!answer.ok()) return answer.error();
  Result<CheckpointConfig> config = ReadCheckpointConfig(Saved(std::move(text)));
  if (!config.ok()) return config.error();
  if (config->state_backend.empty()) return MalformedLab("it names no state_backend");
  return config->state_backend;
}

Result<LabReport> ReadLabReport(std::string text) {
  Result<JsonAnswer> json = JsonAnswer::Parse(Saved(std::move(text)));
  if (!json.ok()) {
    return json.error().code == ErrorCode::kMalformed ? MalformedLab("not a JSON object")
                                                      : json.error();
  }
  const rapidjson::Value& root = json->root();
  LabReport report;
  for (const Status& taken :
       {TakeText(root, "default_ttl", &report.default_ttl),
        TakeText(root, "join_left_ttl", &report.join_left_ttl),
        TakeText(root, "join_right_ttl", &report.join_right_ttl),
        TakeText(root, "cascade_second_left_ttl", &report.cascade_second_left_ttl),
        TakeCount(root, "window_state_entries", &report.window_state_entries),
        TakeText(root, "state_backend", &report.state_backend),
        TakeCount(root, "rocks_groups", &report.rocks_groups)}) {
    if (!taken.ok()) return taken.error();
  }
  return report;
}

}  // namespace fss
