#include "collectors/policy_reader.h"

#include "collectors/bounded_file.h"
#include "collectors/rules_items.h"
#include "collectors/rules_values.h"

namespace fss {
namespace {

// What all kinds of items have.
template <typename Rule>
constexpr RuleField<Rule> kKind = {"kind", false, [](const std::string& text, Rule* rule) {
                                     return ReadRuleText(text, kMaxPatternBytes, &rule->kind);
                                   }};
template <typename Rule>
constexpr RuleField<Rule> kTable = {"table", false, [](const std::string& text, Rule* rule) {
                                      return ReadRuleText(text, kMaxPatternBytes, &rule->table);
                                    }};
template <typename Rule>
constexpr RuleField<Rule> kReason = {"reason", true, [](const std::string& text, Rule* rule) {
                                       return ReadRuleText(text, kMaxReasonBytes, &rule->reason);
                                     }};
template <typename Rule, bool kRequired>
constexpr RuleField<Rule> kTtl = {"ttl", kRequired, [](const std::string& text, Rule* rule) {
                                    return PutValue(ParseSpan(text), &rule->ttl_ms);
                                  }};

constexpr RuleField<LongestTtl> kLongestFields[] = {kKind<LongestTtl>, kTable<LongestTtl>,
                                                    kTtl<LongestTtl, true>, kReason<LongestTtl>};
constexpr RuleField<AllowedForever> kForeverFields[] = {
    kKind<AllowedForever>, kTable<AllowedForever>, kReason<AllowedForever>};
constexpr RuleField<RequiredHint> kHintFields[] = {
    kKind<RequiredHint>, kTable<RequiredHint>, kTtl<RequiredHint, false>, kReason<RequiredHint>};

class PolicyReader : public ItemReader {
 public:
  using ItemReader::ItemReader;

  Result<Policy> Read(const YamlNode& root) const {
    constexpr const char* kKeys = "longest_ttl, forever and required_hints";
    if (root.kind == YamlKind::kNothing) return Policy();
    if (root.kind != YamlKind::kMap) {
      return At(root.line, std::string("no map with the keys ") + kKeys);
    }
    Policy policy;
    for (const YamlNode& part : root.items) {
      Status read = OkStatus();
      if (part.key == "longest_ttl") {
        read = ReadList<LongestTtl>(part, kLongestFields, &policy.longest);
      } else if (part.key == "forever") {
        read = ReadList<AllowedForever>(part, kForeverFields, &policy.forever);
        if (read.ok()) read = CheckForever(part);
      } else if (part.key == "required_hints") {
        read = ReadList<RequiredHint>(part, kHintFields, &policy.hints);
      } else {
        read = At(part.key_line,
                  "unknown key '" + OneLine(part.key, kRuleShownBytes) + "'; there are " + kKeys);
      }
      if (!read.ok()) return read.error();
    }
    return policy;
  }

 private:
  // An item without a pattern would allow everything, which nobody means.
  Status CheckForever(const YamlNode& list) const {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const YamlNode& item = list.items[i];
      if (Find(item, "kind") == nullptr && Find(item, "table") == nullptr) {
        return At(item.line, ItemName(list, i) + ": needs one of kind, table");
      }
    }
    return OkStatus();
  }
};

}  // namespace

Result<Policy> ReadPolicy(std::string_view yaml, const std::string& file) {
  const Result<YamlNode> root = ParseRules(yaml, file);
  if (!root.ok()) return root.error();
  return PolicyReader(file).Read(*root);
}

Result<Policy> ReadPolicyFile(const std::string& path) {
  const Result<FileContent> content = ReadBoundedFile(path, kMaxRulesBytes, /*regular_only=*/true);
  if (!content.ok()) {
    Error error = content.error();
    error.context = path;
    return error;
  }
  return ReadPolicy(content->bytes, path);
}

}  // namespace fss
