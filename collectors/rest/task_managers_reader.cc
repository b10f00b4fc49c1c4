#include "collectors/rest/task_managers_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/rest/flink_id.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

constexpr std::size_t kMaxTaskManagers = 5000;

}  // namespace

Result<std::vector<std::string>> ReadTaskManagerIds(RestAnswer answer) {
  const Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  const rapidjson::Value* rows = ArrayMember(json->root(), "taskmanagers");
  if (rows == nullptr) {
    return Error{ErrorCode::kMalformed, "not a Flink answer (no taskmanagers)", ""};
  }
  std::vector<std::string> ids;
  for (const rapidjson::Value& row : rows->GetArray()) {
    std::string id = TextMember(row, "id", kMaxTaskManagerIdBytes + 1);
    if (!id.empty() && id.size() <= kMaxTaskManagerIdBytes) ids.push_back(std::move(id));
    if (ids.size() == kMaxTaskManagers) break;
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace fss
