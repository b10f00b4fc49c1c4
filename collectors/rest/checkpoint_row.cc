#include "collectors/rest/checkpoint_row.h"

#include <algorithm>
#include <cctype>

#include "collectors/rest/flink_id.h"
#include "collectors/rest/json_answer.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxReasonBytes = 300;

}  // namespace

std::optional<CompletedCheckpoint> ReadCompletedRow(const rapidjson::Value& row) {
  if (TextMember(row, "status", kMaxWordBytes) != "COMPLETED") return std::nullopt;
  const auto id = CountMember(row, "id");
  const auto trigger = CountMember(row, "trigger_timestamp");
  const auto size = CountMember(row, "state_size");
  if (!id || !trigger || !size) return std::nullopt;

  CompletedCheckpoint checkpoint;
  checkpoint.id = *id;
  checkpoint.trigger_ms = *trigger;
  checkpoint.state_size = *size;
  checkpoint.savepoint = BoolMember(row, "is_savepoint").value_or(false);
  checkpoint.completed_ms = CountMember(row, "latest_ack_timestamp");
  checkpoint.checkpointed_size = CountMember(row, "checkpointed_size");
  checkpoint.persisted_data = CountMember(row, "persisted_data");
  checkpoint.external_path = TextMember(row, "external_path", kMaxPathBytes);
  return checkpoint;
}

void ReadVertexSizes(const rapidjson::Value& row, CompletedCheckpoint* checkpoint) {
  const rapidjson::Value* tasks = ObjectMember(row, "tasks");
  if (tasks == nullptr) return;
  for (const auto& task : tasks->GetObject()) {
    const auto size = CountMember(task.value, "state_size");
    if (!size) continue;
    checkpoint->vertices[VertexIdOf({task.name.GetString(), task.name.GetStringLength()})] =
        VertexSize{*size, CountMember(task.value, "checkpointed_size"),
                   CountMember(task.value, "persisted_data")};
  }
}

std::optional<FailedCheckpoint> ReadFailedRow(const rapidjson::Value& row) {
  if (TextMember(row, "status", kMaxWordBytes) != "FAILED") return std::nullopt;
  const auto id = CountMember(row, "id");
  const auto trigger = CountMember(row, "trigger_timestamp");
  if (!id || !trigger) return std::nullopt;

  FailedCheckpoint checkpoint;
  checkpoint.id = *id;
  checkpoint.trigger_ms = *trigger;
  checkpoint.failed_ms = CountMember(row, "failure_timestamp");
  checkpoint.reason = OneLine(TextMember(row, "failure_message", kMaxPathBytes), kMaxReasonBytes);
  return checkpoint;
}

}  // namespace fss
