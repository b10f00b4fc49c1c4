#include "collectors/rest/checkpoint_details_reader.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "collectors/rest/checkpoint_row.h"
#include "collectors/rest/json_answer.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxIdBytes = 64;
constexpr const char* kAnother = "the details are those of another checkpoint";

bool SameCheckpoint(const CompletedCheckpoint& a, const CompletedCheckpoint& b) {
  return a.id == b.id && a.savepoint == b.savepoint && a.trigger_ms == b.trigger_ms &&
         a.state_size == b.state_size && a.external_path == b.external_path;
}

std::string VertexId(const rapidjson::Value& name) {
  std::string id = OneLine({name.GetString(), name.GetStringLength()}, kMaxIdBytes);
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return id;
}

}  // namespace

Result<CompletedCheckpoint> ReadCheckpointDetails(RestAnswer answer,
                                                  const CompletedCheckpoint& row) {
  Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  auto checkpoint = ReadCompletedRow(json->root());
  if (!checkpoint) {
    return Error{ErrorCode::kMalformed, "not the details of a completed checkpoint", ""};
  }
  if (!SameCheckpoint(*checkpoint, row)) {
    return Error{ErrorCode::kMalformed, kAnother, ""};
  }
  if (const rapidjson::Value* tasks = ObjectMember(json->root(), "tasks")) {
    for (const auto& task : tasks->GetObject()) {
      const auto size = CountMember(task.value, "state_size");
      if (!size) continue;
      checkpoint->vertices[VertexId(task.name)] =
          VertexSize{*size, CountMember(task.value, "checkpointed_size"),
                     CountMember(task.value, "persisted_data")};
    }
  }
  return std::move(*checkpoint);
}

bool SaysAnotherCheckpoint(const Error& error) { return error.message == kAnother; }

}  // namespace fss
