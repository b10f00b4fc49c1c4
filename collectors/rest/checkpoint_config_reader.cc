#include "collectors/rest/checkpoint_config_reader.h"

#include <limits>
#include <utility>

#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

constexpr std::size_t kMaxBackendNameBytes = 256;

std::string KnownName(const rapidjson::Value& root, const char* name) {
  std::string text = TextMember(root, name, kMaxBackendNameBytes);
  // Of a job that failed before it had a backend.
  return text == "Unknown" ? "" : text;
}

// A time span; Flink writes 2^63-1 for "never".
std::optional<std::int64_t> Span(const rapidjson::Value& root, const char* name) {
  const auto span = CountMember(root, name);
  if (!span || *span == 0 || *span == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return span;
}

}  // namespace

Result<CheckpointConfig> ReadCheckpointConfig(RestAnswer answer) {
  Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  const rapidjson::Value& root = json->root();
  // In every version since 1.5; without it, it is some other JSON.
  if (Member(root, "interval") == nullptr) {
    return Error{ErrorCode::kMalformed, "not a Flink answer (no checkpoint interval)", ""};
  }
  CheckpointConfig config;
  config.state_backend = KnownName(root, "state_backend");
  config.checkpoint_storage = KnownName(root, "checkpoint_storage");
  config.interval_ms = Span(root, "interval");
  config.timeout_ms = Span(root, "timeout");
  config.unaligned = BoolMember(root, "unaligned_checkpoints");
  config.changelog = BoolMember(root, "state_changelog_enabled");
  return config;
}

}  // namespace fss
