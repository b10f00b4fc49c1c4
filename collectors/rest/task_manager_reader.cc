#include "collectors/rest/task_manager_reader.h"

#include <optional>
#include <utility>

#include "collectors/rest/flink_id.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

std::optional<std::int64_t> PositiveMember(const rapidjson::Value& object, const char* name) {
  const auto count = CountMember(object, name);
  return count && *count > 0 ? count : std::nullopt;
}

}  // namespace

Result<TaskManagerSnapshot> ReadTaskManager(RestAnswer answer, const std::string& id) {
  const Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  const rapidjson::Value& root = json->root();
  TaskManagerSnapshot read;
  read.id = TextMember(root, "id", kMaxTaskManagerIdBytes);
  if (read.id != id) return Error{ErrorCode::kMalformed, "not that TaskManager's answer", ""};

  if (const rapidjson::Value* metrics = ObjectMember(root, "metrics")) {
    read.heap_used = PositiveMember(*metrics, "heapUsed");
    read.heap_max = PositiveMember(*metrics, "heapMax");
  }
  if (const rapidjson::Value* memory = ObjectMember(root, "memoryConfiguration")) {
    read.task_heap = CountMember(*memory, "taskHeap");
    read.managed = CountMember(*memory, "managedMemory");
  }
  if (const rapidjson::Value* slots = ArrayMember(root, "allocatedSlots")) {
    for (const rapidjson::Value& slot : slots->GetArray()) {
      const std::string job = TextMember(slot, "jobId", kMaxTaskManagerIdBytes);
      if (IsFlinkId(job)) ++read.slots_by_job[job];
    }
  }
  return read;
}

}  // namespace fss
