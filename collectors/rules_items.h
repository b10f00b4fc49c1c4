// Lists of rules out of YAML, key by key: what the readers of files of rules share.
//
// Every error names file and line, list item and key; the first one ends the reading. Safe from any
// thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/rules_limits.h"
#include "collectors/rules_yaml.h"
#include "sidecar/base/result.h"
#include "sidecar/base/text.h"

namespace fss {

// As much of a text as an error shows.
inline constexpr std::size_t kRuleShownBytes = 60;

// A key of one item of a list: how its text gets into the rule. The error lacks the place.
template <typename Rule>
struct RuleField {
  std::string_view key;
  bool required;
  Status (*read)(const std::string& text, Rule* rule);
};

// An error of one value; the reader knows the place.
Error BadValue(std::string message, ErrorCode code = ErrorCode::kMalformed);

// A text that is not blank and has at most `limit` bytes.
Status ReadRuleText(const std::string& text, std::size_t limit, std::string* out);

// What is said of a value that is no text.
const char* KindProblem(YamlKind kind);

template <typename T, typename Value>
Status PutValue(const Result<T>& parsed, Value* out) {
  if (!parsed.ok()) return parsed.error();
  *out = *parsed;
  return OkStatus();
}

// The one document of `yaml`; the error names `file` and the line. kTooLarge above kMaxRulesBytes.
Result<YamlNode> ParseRules(std::string_view yaml, const std::string& file);

// Reads the lists of one file; keeps its name for errors, which must live longer.
class ItemReader {
 public:
  explicit ItemReader(const std::string& file) : file_(file) {}

  // An error of this file. The message says what; the place is its context.
  Error At(int line, std::string message, ErrorCode code = ErrorCode::kMalformed) const;

 protected:
  template <typename Rule>
  Status ReadList(const YamlNode& list, std::span<const RuleField<Rule>> fields,
                  std::vector<Rule>* rules) const {
    if (list.kind == YamlKind::kNothing) return OkStatus();  // all its items are commented out
    if (list.kind != YamlKind::kList) return At(list.line, list.key + ": is no list");
    if (list.items.size() > kMaxRules) {
      return At(list.line, list.key + ": more than " + std::to_string(kMaxRules) + " items",
                ErrorCode::kTooLarge);
    }
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      Rule rule;
      Status read = ReadItem(list.items[i], ItemName(list, i), fields, &rule);
      if (!read.ok()) return read;
      rules->push_back(std::move(rule));
    }
    return OkStatus();
  }

  template <typename Rule>
  Status ReadItem(const YamlNode& item, const std::string& name,
                  std::span<const RuleField<Rule>> fields, Rule* rule) const {
    if (item.kind != YamlKind::kMap) return At(item.line, name + ": is no map of keys");
    for (const YamlNode& value : item.items) {
      const auto field = std::find_if(fields.begin(), fields.end(),
                                      [&](const RuleField<Rule>& f) { return f.key == value.key; });
      if (field == fields.end()) {
        return At(value.key_line, name + ": unknown key '" + OneLine(value.key, kRuleShownBytes) +
                                      "'; there are " + Keys(fields));
      }
      const Status read = value.kind == YamlKind::kText ? field->read(value.text, rule)
                                                        : Status(BadValue(KindProblem(value.kind)));
      if (!read.ok()) {
        const int line = value.kind == YamlKind::kNothing ? value.key_line : value.line;
        return At(line, name + ": " + value.key + ": " + read.error().message, read.error().code);
      }
    }
    for (const RuleField<Rule>& field : fields) {
      if (field.required && Find(item, field.key) == nullptr) {
        return At(item.line, name + ": " + std::string(field.key) + " is missing");
      }
    }
    return OkStatus();
  }

  template <typename Rule>
  static std::string Keys(std::span<const RuleField<Rule>> fields) {
    std::string keys;
    for (const RuleField<Rule>& field : fields) {
      if (!keys.empty()) keys += ", ";
      keys += field.key;
    }
    return keys;
  }

  static std::string ItemName(const YamlNode& list, std::size_t index);
  // nullptr where the map has no such key.
  static const YamlNode* Find(const YamlNode& map, std::string_view key);

 private:
  const std::string& file_;
};

}  // namespace fss
