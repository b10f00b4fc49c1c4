#include "collectors/rules_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <sstream>
#include <utility>

#include "collectors/rules_limits.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// Ends a parse from within an event; never leaves this file.
struct Refusal {
  Error error;
};

// yaml-cpp counts from 0; a mark without a place has -1.
int LineOf(const YAML::Mark& mark) { return std::max(mark.line, 0) + 1; }

[[noreturn]] void Refuse(const YAML::Mark& mark, std::string message,
                         ErrorCode code = ErrorCode::kMalformed) {
  throw Refusal{Error{code, std::move(message), std::to_string(LineOf(mark))}};
}

// Takes yaml-cpp's events, not its nodes: those share what an alias names, and cost some 400 bytes
// for each character of "[,,,,".
class TreeBuilder : public YAML::EventHandler {
 public:
  YamlNode Take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) Refuse(mark, "a second document begins");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Put(mark, "", anchor, YamlKind::kNothing);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    Refuse(mark, kNoAliases);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Put(mark, tag, anchor, YamlKind::kText, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(mark, Put(mark, tag, anchor, YamlKind::kList));
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(mark, Put(mark, tag, anchor, YamlKind::kMap));
  }
  void OnMapEnd() override { open_.pop_back(); }

  static constexpr const char* kNoAliases =
      "anchors and aliases are not taken; a text that begins with * or & must stand in quotes";

 private:
  struct Frame {
    YamlNode* node;        // stays where it is while it is open: its parent does not grow
    bool has_key = false;  // of a map: the last item waits for its value
  };

  void Open(const YAML::Mark& mark, YamlNode* node) {
    if (node == nullptr) Refuse(mark, "a key is no text");
    if (open_.size() == static_cast<std::size_t>(kMaxYamlDepth)) {
      Refuse(mark, "nested deeper than " + std::to_string(kMaxYamlDepth) + " levels",
             ErrorCode::kTooLarge);
    }
    open_.push_back({node});
  }

  // Where the value now lies; nullptr where it was a key.
  YamlNode* Put(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                YamlKind kind, const std::string& text = "") {
    if (anchor != 0) Refuse(mark, kNoAliases);
    // "?" is a plain text, "!" a quoted one.
    if (!tag.empty() && tag != "?" && tag != "!") {
      Refuse(mark, "tags are not taken; a text that begins with ! must stand in quotes");
    }
    if (++nodes_ > kMaxYamlNodes) {
      Refuse(mark, "more than " + std::to_string(kMaxYamlNodes) + " values", ErrorCode::kTooLarge);
    }
    YamlNode* place = &root_;
    if (!open_.empty()) {
      Frame& frame = open_.back();
      if (frame.node->kind == YamlKind::kMap && !frame.has_key) {
        if (kind != YamlKind::kText) Refuse(mark, "a key is no text");
        AddKey(mark, text, &frame);
        return nullptr;
      }
      if (frame.node->kind == YamlKind::kList) frame.node->items.emplace_back();
      frame.has_key = false;
      place = &frame.node->items.back();
    }
    place->kind = kind;
    place->line = LineOf(mark);
    place->text = text;
    return place;
  }

  static void AddKey(const YAML::Mark& mark, const std::string& key, Frame* frame) {
    std::vector<YamlNode>& items = frame->node->items;
    const bool twice = std::any_of(items.begin(), items.end(),
                                   [&](const YamlNode& item) { return item.key == key; });
    if (twice) Refuse(mark, "the key '" + OneLine(key, kShownRuleBytes) + "' stands here twice");
    if (items.size() == kMaxYamlKeys) {
      Refuse(mark, "more than " + std::to_string(kMaxYamlKeys) + " keys", ErrorCode::kTooLarge);
    }
    items.emplace_back();
    items.back().key = key;
    items.back().key_line = items.back().line = LineOf(mark);
    frame->has_key = true;
  }

  YamlNode root_;
  std::vector<Frame> open_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

// yaml-cpp's words where they help. An unquoted "*" is the commonest slip in a file of patterns.
std::string Reason(const YAML::Exception& exception) {
  const bool alias = exception.msg.find("alias") != std::string::npos ||
                     exception.msg.find("anchor") != std::string::npos;
  return alias ? TreeBuilder::kNoAliases
               : "no YAML: " + OneLine(exception.msg, 2 * kShownRuleBytes);
}

// yaml-cpp 0.7 takes a quoted text without its closing quote where a line break is the last it
// sees.
std::string_view WithoutTrailingBlanks(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

Status CheckText(std::string_view text) {
  // A NUL would let yaml-cpp take it for UTF-16.
  if (text.find('\0') != std::string_view::npos || ValidUtf8(text) != text) {
    return Error{ErrorCode::kMalformed, "not UTF-8 text", ""};
  }
  const auto indicators = std::count_if(text.begin(), text.end(), [](char c) {
    return std::string_view("[]{},:?*&!'\"").find(c) != std::string_view::npos;
  });
  if (static_cast<std::size_t>(indicators) > kMaxYamlIndicators) {
    return Error{ErrorCode::kTooLarge,
                 "more than " + std::to_string(kMaxYamlIndicators) +
                     " brackets, quotes, colons and the like",
                 ""};
  }
  return OkStatus();
}

}  // namespace

Result<YamlNode> ParseYaml(std::string_view text) {
  const Status checked = CheckText(text);
  if (!checked.ok()) return checked.error();
  try {
    std::istringstream input{std::string(WithoutTrailingBlanks(text))};
    YAML::Parser parser(input);
    TreeBuilder builder;
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.Take();
  } catch (const Refusal& refusal) {
    return refusal.error;
  } catch (const YAML::Exception& exception) {
    const int line = LineOf(exception.mark);
    return Error{ErrorCode::kMalformed, Reason(exception), std::to_string(line)};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kMalformed,
                 "no YAML: " + OneLine(exception.what(), 2 * kShownRuleBytes), ""};
  }
}

}  // namespace fss
