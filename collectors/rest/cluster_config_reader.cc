#include "collectors/rest/cluster_config_reader.h"

#include <utility>

#include "collectors/rest/json_answer.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxVersionBytes = 64;

}  // namespace

Result<std::string> ReadFlinkVersion(RestAnswer answer) {
  Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  if (Member(json->root(), "flink-version") == nullptr) {
    return Error{ErrorCode::kMalformed, "not a Flink answer (no version)", ""};
  }
  const std::string version = TextMember(json->root(), "flink-version", kMaxVersionBytes);
  // Flink's own word for a version it does not know is "<unknown>".
  if (version.empty() || version.front() < '0' || version.front() > '9') return std::string();
  return OneLine(version, kMaxVersionBytes);
}

}  // namespace fss
