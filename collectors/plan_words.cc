#include "collectors/plan_words.h"

#include <charconv>
#include <limits>
#include <string>
#include <system_error>

namespace fss {

std::optional<std::int64_t> ToInteger(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// "stream-exec-join_1" → kind "join", version 1. Other texts are kept whole as their kind, without
// the number: "null_null" is kind "null" (Flink's own fixture).
void SplitType(PlanNode* node) {
  constexpr std::string_view kStream = "stream-exec-";
  constexpr std::string_view kBatch = "batch-exec-";
  std::string_view rest = node->type;
  node->batch = rest.substr(0, kBatch.size()) == kBatch;
  if (node->batch) {
    rest.remove_prefix(kBatch.size());
  } else if (rest.substr(0, kStream.size()) == kStream) {
    rest.remove_prefix(kStream.size());
  }
  const std::size_t cut = rest.rfind('_');
  if (cut != std::string_view::npos) {
    const std::optional<std::int64_t> version = ToInteger(rest.substr(cut + 1));
    if (version && *version >= 0 && *version <= std::numeric_limits<int>::max()) {
      node->version = static_cast<int>(*version);
    }
    rest = rest.substr(0, cut);
  }
  node->kind = std::string(rest);
}

// Whether Flink reads ISO-8601 durations in this plan: from 2.3 on. A version that is not known
// ("" in Flink's own plans) is given the benefit of the doubt.
bool AllowsIso8601(std::string_view version) {
  const std::size_t dot = version.find('.');
  const std::optional<std::int64_t> major = ToInteger(version.substr(0, dot));
  if (!major) return true;
  if (dot == std::string_view::npos) return *major >= 3;
  std::string_view rest = version.substr(dot + 1);
  rest = rest.substr(0, rest.find_first_not_of("0123456789"));
  return *major > 2 || (*major == 2 && ToInteger(rest).value_or(0) >= 3);
}

}  // namespace fss
