#include "collectors/rest/checkpoints_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/rest/checkpoint_row.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

// web.checkpoints.history is 10 unless somebody raised it; older ones are of no use to a poll.
constexpr std::size_t kMaxHistory = 100;

std::optional<CheckpointCounts> ReadCounts(const rapidjson::Value& root) {
  const rapidjson::Value* counts = ObjectMember(root, "counts");
  if (counts == nullptr) return std::nullopt;
  const auto completed = CountMember(*counts, "completed");
  const auto failed = CountMember(*counts, "failed");
  if (!completed || !failed) return std::nullopt;
  return CheckpointCounts{*completed, *failed, CountMember(*counts, "in_progress").value_or(0),
                          CountMember(*counts, "restored").value_or(0)};
}

std::optional<RestoredCheckpoint> ReadRestored(const rapidjson::Value& row) {
  const auto id = CountMember(row, "id");
  const auto when = CountMember(row, "restore_timestamp");
  if (!id || !when) return std::nullopt;
  return RestoredCheckpoint{*id, *when, BoolMember(row, "is_savepoint").value_or(false),
                            TextMember(row, "external_path", kMaxPathBytes)};
}

// Keeps the newest of `held` and `candidate`.
template <typename Checkpoint>
void KeepNewest(std::optional<Checkpoint> candidate, std::optional<Checkpoint>* held) {
  if (candidate && (!held->has_value() || (*held)->id < candidate->id)) {
    *held = std::move(candidate);
  }
}

void ReadHistory(const rapidjson::Value& rows, CheckpointsAnswer* answer,
                 std::vector<FailedCheckpoint>* failed) {
  for (const rapidjson::Value& row : rows.GetArray()) {
    if (auto completed = ReadCompletedRow(row)) {
      answer->history.push_back(std::move(*completed));
    } else if (auto failure = ReadFailedRow(row)) {
      failed->push_back(std::move(*failure));
    }
  }
  auto& history = answer->history;
  std::stable_sort(history.begin(), history.end(),
                   [](const auto& a, const auto& b) { return a.id < b.id; });
  if (history.size() > kMaxHistory) {
    history.erase(history.begin(), history.end() - static_cast<std::ptrdiff_t>(kMaxHistory));
  }
}

void ReadLatest(const rapidjson::Value& latest, CheckpointsAnswer* answer) {
  if (const rapidjson::Value* row = ObjectMember(latest, "completed")) {
    auto completed = ReadCompletedRow(*row);
    if (completed && !completed->savepoint) answer->latest = std::move(completed);
  }
  if (const rapidjson::Value* row = ObjectMember(latest, "failed")) {
    answer->latest_failed = ReadFailedRow(*row);
  }
  if (const rapidjson::Value* row = ObjectMember(latest, "restored")) {
    answer->latest_restored = ReadRestored(*row);
  }
}

}  // namespace

Result<CheckpointsAnswer> ReadCheckpoints(RestAnswer body) {
  Result<JsonAnswer> json = JsonAnswer::Parse(std::move(body));
  if (!json.ok()) return json.error();
  const rapidjson::Value& root = json->root();
  CheckpointsAnswer answer;
  answer.counts = ReadCounts(root);
  if (!answer.counts) {
    return Error{ErrorCode::kMalformed, "not a Flink answer (no checkpoint counts)", ""};
  }
  std::vector<FailedCheckpoint> failed;
  if (const rapidjson::Value* latest = ObjectMember(root, "latest")) ReadLatest(*latest, &answer);
  if (const rapidjson::Value* rows = ArrayMember(root, "history")) {
    ReadHistory(*rows, &answer, &failed);
  }

  std::int64_t last_completed = -1;
  for (const CompletedCheckpoint& row : answer.history) {
    last_completed = std::max(last_completed, row.id);
    if (!row.savepoint) KeepNewest(std::optional(row), &answer.latest);
  }
  if (answer.latest) last_completed = std::max(last_completed, answer.latest->id);
  for (const FailedCheckpoint& row : failed) {
    if (row.id > last_completed) ++answer.failed_since_completed;
    KeepNewest(std::optional(row), &answer.latest_failed);
  }
  return answer;
}

bool SaysCheckpointingOff(const Error& error) {
  // "Checkpointing has not been enabled.", "Checkpointing is not enabled for this job (…)."
  return error.code == ErrorCode::kNotFound &&
         error.message.find("heckpointing") != std::string::npos &&
         error.message.find("enabled") != std::string::npos;
}

}  // namespace fss
