#include "collectors/rest/subtask_sizes_reader.h"

#include <optional>
#include <utility>

#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

constexpr std::int64_t kMaxSubtasks = 1 << 15;  // Flink's own limit of a parallelism

Error Refused(const char* why) { return Error{ErrorCode::kMalformed, why, ""}; }

}  // namespace

Result<SubtaskSizes> ReadSubtaskSizes(RestAnswer answer, std::int64_t checkpoint_id,
                                      std::int64_t total) {
  const Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  const rapidjson::Value* rows = ArrayMember(json->root(), "subtasks");
  const auto count = CountMember(json->root(), "num_subtasks");
  if (rows == nullptr || !count) return Refused("not a Flink answer (no subtasks)");
  if (CountMember(json->root(), "id") != checkpoint_id) {
    return Refused("the subtasks are those of another checkpoint");
  }
  if (*count > kMaxSubtasks || rows->Size() != *count) return Refused("subtasks are missing");

  std::vector<std::optional<std::int64_t>> sizes(rows->Size());
  for (const rapidjson::Value& row : rows->GetArray()) {
    const auto index = CountMember(row, "index");
    const auto size = CountMember(row, "state_size");
    if (!index || *index >= *count || !size) return Refused("a subtask without a size");
    sizes[static_cast<std::size_t>(*index)] = size;
  }
  SubtaskSizes read;
  read.checkpoint_id = checkpoint_id;
  std::int64_t left = total;
  for (const auto& size : sizes) {
    if (!size) return Refused("subtasks are missing");
    if (*size > left) return Refused("the subtasks are those of another checkpoint");
    left -= *size;
    read.bytes.push_back(*size);
  }
  if (left != 0) return Refused("the subtasks are those of another checkpoint");
  return read;
}

}  // namespace fss
