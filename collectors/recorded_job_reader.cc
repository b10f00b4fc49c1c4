#include "collectors/recorded_job_reader.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "collectors/rest/json_answer.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxNameBytes = 64U << 10U;

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void Text(const char* name, const std::string& text, Writer* out) {
  if (text.empty()) return;
  out->Key(name);
  out->String(ValidUtf8(text));
}

}  // namespace

std::string RecordedJobJson(const RecordedJob& job) {
  rapidjson::StringBuffer buffer;
  Writer out(buffer);
  out.StartObject();
  Text("job_id", job.job_id, &out);
  Text("name", job.name, &out);
  out.Key("start_ms");
  out.Int64(job.start_ms);
  Text("flink_version", job.flink_version, &out);
  Text("state", job.state, &out);
  if (job.ended_ms) {
    out.Key("ended_ms");
    out.Int64(*job.ended_ms);
  }
  out.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string AnonymousRecordedJobJson(RecordedJob job) {
  static constexpr std::array<std::string_view, 11> kStates = {
      "CANCELED",     "CANCELLING",  "CREATED",    "FAILED",  "FAILING",  "FINISHED",
      "INITIALIZING", "RECONCILING", "RESTARTING", "RUNNING", "SUSPENDED"};
  job.name.clear();
  // A build of one's own may be called after who made it.
  job.flink_version.resize(
      std::min(job.flink_version.find_first_not_of("0123456789."), job.flink_version.size()));
  if (std::find(kStates.begin(), kStates.end(), job.state) == kStates.end()) job.state.clear();
  return RecordedJobJson(job);
}

Result<RecordedJob> ReadRecordedJob(RestAnswer file) {
  const Result<JsonAnswer> json = JsonAnswer::Parse(std::move(file));
  if (!json.ok()) return json.error();
  const rapidjson::Value& root = json->root();
  RecordedJob job;
  job.job_id = TextMember(root, "job_id", kMaxWordBytes);
  job.name = TextMember(root, "name", kMaxNameBytes);
  job.start_ms = CountMember(root, "start_ms").value_or(0);
  job.flink_version = TextMember(root, "flink_version", kMaxWordBytes);
  job.state = TextMember(root, "state", kMaxWordBytes);
  job.ended_ms = CountMember(root, "ended_ms");
  return job;
}

}  // namespace fss
