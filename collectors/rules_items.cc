#include "collectors/rules_items.h"

namespace fss {

Error BadValue(std::string message, ErrorCode code) { return Error{code, std::move(message), ""}; }

Status ReadRuleText(const std::string& text, std::size_t limit, std::string* out) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return BadValue("is empty");
  if (text.size() > limit) {
    return BadValue("longer than " + std::to_string(limit) + " bytes", ErrorCode::kTooLarge);
  }
  *out = text;
  return OkStatus();
}

const char* KindProblem(YamlKind kind) {
  switch (kind) {
    case YamlKind::kList:
      return "is a list; a text with brackets must stand in quotes";
    case YamlKind::kMap:
      return "is a map, not a text";
    case YamlKind::kNothing:
    case YamlKind::kText:
      break;
  }
  return "is empty";
}

Result<YamlNode> ParseRules(std::string_view yaml, const std::string& file) {
  if (yaml.size() > kMaxRulesBytes) {
    return Error{ErrorCode::kTooLarge, "larger than " + std::to_string(kMaxRulesBytes) + " bytes",
                 file};
  }
  Result<YamlNode> root = ParseYaml(yaml);
  if (root.ok()) return root;
  Error error = root.error();
  error.context = error.context.empty() ? file : file + ":" + error.context;
  return error;
}

Error ItemReader::At(int line, std::string message, ErrorCode code) const {
  return Error{code, std::move(message), file_ + ":" + std::to_string(line)};
}

std::string ItemReader::ItemName(const YamlNode& list, std::size_t index) {
  return list.key + "[" + std::to_string(index) + "]";
}

const YamlNode* ItemReader::Find(const YamlNode& map, std::string_view key) {
  const auto found = std::find_if(map.items.begin(), map.items.end(),
                                  [&](const YamlNode& item) { return item.key == key; });
  return found == map.items.end() ? nullptr : &*found;
}

}  // namespace fss
