#include "collectors/rules_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "collectors/rules_items.h"
#include "collectors/rules_values.h"
#include "sidecar/base/flink_duration.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// A slip in a code would acknowledge nothing, and nobody would be told. The list of codes is the
// detectors'; what cannot be one is seen here.
Status ReadCode(const std::string& text, std::string* out) {
  const bool possible = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '*' || c == '?';
  });
  if (!possible) {
    return BadValue("'" + OneLine(text, kRuleShownBytes) +
                    "' has characters that no finding's code has");
  }
  return ReadRuleText(text, kMaxPatternBytes, out);
}

Status ReadShare(const std::string& text, std::optional<double>* out) {
  const Result<double> share = ParseNumber(text);
  if (share.ok() && (*share <= 0 || *share > 1)) {
    return BadValue("'" + text + "' is no share between 0 and 1");
  }
  return PutValue(share, out);
}

Status ReadRatio(const std::string& text, std::optional<double>* out) {
  const Result<double> ratio = ParseNumber(text);
  if (ratio.ok() && *ratio <= 1) return BadValue("'" + text + "' is not more than 1");
  return PutValue(ratio, out);
}

Status ReadLimit(const std::string& text, std::optional<std::int64_t>* out) {
  const Result<std::int64_t> limit = ParseByteSize(text);
  if (limit.ok() && *limit == 0) return BadValue("'" + text + "' is not more than 0");
  return PutValue(limit, out);
}

using Ack = Acknowledgement;

constexpr RuleField<Ack> kAcknowledgeFields[] = {
    {"code", false, [](const std::string& text, Ack* ack) { return ReadCode(text, &ack->code); }},
    {"job", false,
     [](const std::string& text, Ack* ack) {
       return ReadRuleText(text, kMaxPatternBytes, &ack->job);
     }},
    {"operator", false,
     [](const std::string& text, Ack* ack) {
       return ReadRuleText(text, kMaxPatternBytes, &ack->operator_label);
     }},
    {"state", false,
     [](const std::string& text, Ack* ack) {
       return ReadRuleText(text, kMaxPatternBytes, &ack->state);
     }},
    {"reason", true,
     [](const std::string& text, Ack* ack) {
       return ReadRuleText(text, kMaxReasonBytes, &ack->reason);
     }},
    {"until", true,
     [](const std::string& text, Ack* ack) { return PutValue(ParseUntil(text), &ack->until_ms); }},
};

constexpr RuleField<JobRule> kJobFields[] = {
    {"job", true,
     [](const std::string& text, JobRule* rule) {
       return ReadRuleText(text, kMaxPatternBytes, &rule->job);
     }},
    {"state_limit", false,
     [](const std::string& text, JobRule* rule) {
       return ReadLimit(text, &rule->state_limit_bytes);
     }},
    {"capacity_warning", false,
     [](const std::string& text, JobRule* rule) {
       return PutValue(ParseSpan(text), &rule->capacity_warning_ms);
     }},
    {"capacity_critical", false,
     [](const std::string& text, JobRule* rule) {
       return PutValue(ParseSpan(text), &rule->capacity_critical_ms);
     }},
    {"heap_warning", false,
     [](const std::string& text, JobRule* rule) { return ReadShare(text, &rule->heap_warning); }},
    {"heap_critical", false,
     [](const std::string& text, JobRule* rule) { return ReadShare(text, &rule->heap_critical); }},
    {"skew_bytes", false,
     [](const std::string& text, JobRule* rule) {
       return PutValue(ParseByteSize(text), &rule->skew_bytes);
     }},
    {"skew_ratio", false,
     [](const std::string& text, JobRule* rule) { return ReadRatio(text, &rule->skew_ratio); }},
    {"large_state", false,
     [](const std::string& text, JobRule* rule) {
       return PutValue(ParseByteSize(text), &rule->large_bytes);
     }},
};

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

class RulesReader : public ItemReader {
 public:
  using ItemReader::ItemReader;

  Result<Rules> Read(const YamlNode& root) {
    if (root.kind == YamlKind::kNothing) return Rules();
    if (root.kind != YamlKind::kMap) {
      return At(root.line, "no map with the keys acknowledge and jobs");
    }
    Rules rules;
    for (const YamlNode& part : root.items) {
      Status read = OkStatus();
      if (part.key == "acknowledge") {
        read = ReadList<Acknowledgement>(part, kAcknowledgeFields, &rules.acknowledgements);
      } else if (part.key == "jobs") {
        read = ReadList<JobRule>(part, kJobFields, &rules.jobs);
      } else {
        read = At(part.key_line, "unknown key '" + OneLine(part.key, kRuleShownBytes) +
                                     "'; there are acknowledge and jobs");
      }
      if (!read.ok()) return read.error();
    }
    for (const YamlNode& part : root.items) {
      const Status checked = CheckItems(part, rules);
      if (!checked.ok()) return checked.error();
    }
    return rules;
  }

 private:
  // What only all keys of an item, or all rules together, can tell.
  Status CheckItems(const YamlNode& list, const Rules& rules) const {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const YamlNode& item = list.items[i];
      const std::string name = ItemName(list, i);
      Status checked = list.key == "jobs" ? CheckJob(item, name, rules.jobs[i], rules.jobs)
                                          : CheckAcknowledgement(item, name);
      if (!checked.ok()) return checked;
    }
    return OkStatus();
  }

  Status CheckAcknowledgement(const YamlNode& item, const std::string& name) const {
    for (const char* key : {"code", "job", "operator", "state"}) {
      if (Find(item, key) != nullptr) return OkStatus();
    }
    return At(item.line, name + ": needs one of code, job, operator, state");
  }

  Status CheckJob(const YamlNode& item, const std::string& name, const JobRule& rule,
                  const std::vector<JobRule>& all) const {
    const Thresholds defaults;
    const auto time_critical =
        Effective(rule, all, &JobRule::capacity_critical_ms, defaults.capacity_critical_ms);
    const auto time_warning =
        Effective(rule, all, &JobRule::capacity_warning_ms, defaults.capacity_warning_ms);
    if (Has(item, "capacity_warning", "capacity_critical") && time_critical && time_warning &&
        *time_critical > *time_warning) {
      return At(LineOfPair(item, "capacity_critical", "capacity_warning"),
                name + ": capacity_critical, " + FormatFlinkDuration(*time_critical) +
                    Default(item, "capacity_critical") + ", is longer than capacity_warning, " +
                    FormatFlinkDuration(*time_warning) + Default(item, "capacity_warning"));
    }
    const auto heap_critical =
        Effective(rule, all, &JobRule::heap_critical, defaults.heap_critical);
    const auto heap_warning = Effective(rule, all, &JobRule::heap_warning, defaults.heap_warning);
    if (Has(item, "heap_warning", "heap_critical") && heap_critical && heap_warning &&
        *heap_critical < *heap_warning) {
      return At(LineOfPair(item, "heap_critical", "heap_warning"),
                name + ": heap_critical, " + Number(*heap_critical) +
                    Default(item, "heap_critical") + ", is less than heap_warning, " +
                    Number(*heap_warning) + Default(item, "heap_warning"));
    }
    return OkStatus();
  }

  static const char* Default(const YamlNode& item, std::string_view key) {
    return Find(item, key) == nullptr ? " (the default)" : "";
  }

  static bool Has(const YamlNode& item, std::string_view a, std::string_view b) {
    return Find(item, a) != nullptr || Find(item, b) != nullptr;
  }

  static int LineOfPair(const YamlNode& item, std::string_view a, std::string_view b) {
    const YamlNode* found = Find(item, a);
    return (found != nullptr ? found : Find(item, b))->line;
  }

  // What the rule says, else the default; absent where another rule may say it for the same job.
  template <typename T>
  static std::optional<T> Effective(const JobRule& rule, const std::vector<JobRule>& all,
                                    std::optional<T> JobRule::*part, T otherwise) {
    if ((rule.*part).has_value()) return rule.*part;
    const bool elsewhere = std::any_of(
        all.begin(), all.end(), [&](const JobRule& other) { return (other.*part).has_value(); });
    return elsewhere ? std::nullopt : std::optional<T>(otherwise);
  }
};

}  // namespace

Result<Rules> ReadRules(std::string_view yaml, const std::string& file) {
  const Result<YamlNode> root = ParseRules(yaml, file);
  if (!root.ok()) return root.error();
  return RulesReader(file).Read(*root);
}

}  // namespace fss
