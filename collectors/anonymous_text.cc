#include "collectors/anonymous_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "collectors/flink_words.h"

namespace fss {
namespace {

// Anything that can be a part of a name that is not quoted; other scripts' letters are bytes above
// 0x7F.
bool IsWordChar(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '$';
}

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Attributes whose numbers are sizes, bounds and limits.
constexpr std::array<std::string_view, 24> kMeasures = {
    "window",        "leftWindow", "rightWindow",   "windowBounds", "size",      "slide",
    "step",          "max_size",   "offset",        "gap",          "interval",  "fetch",
    "limit",         "rankRange",  "topK",          "parallelism",  "within",    "indexOfCountStar",
    "stateTtlHints", "round",      "watermarkEmit", "emit",         "miniBatch", "minibatch"};

// Attributes that hold other attributes; in all others a word before "=" is a name.
constexpr std::array<std::string_view, 8> kNested = {"window",       "leftWindow", "rightWindow",
                                                     "windowBounds", "rankRange",  "table",
                                                     "hints",        "strategy"};

// Words that are values of one attribute alone, where anybody may call a column so.
struct ValueWord {
  std::string_view attribute;
  std::string_view word;
};
constexpr std::array<ValueWord, 44> kValues = {{
    {"distribution", "single"},
    {"distribution", "forward"},
    {"distribution", "broadcast"},
    {"distribution", "random"},
    {"distribution", "any"},
    {"joinType", "INNER"},
    {"joinType", "LEFT"},
    {"joinType", "RIGHT"},
    {"joinType", "FULL"},
    {"joinTypes", "INNER"},
    {"joinTypes", "LEFT"},
    {"joinTypes", "RIGHT"},
    {"joinTypes", "FULL"},
    {"rowsPerMatch", "ONE"},
    {"rowsPerMatch", "ALL"},
    {"rowsPerMatch", "PER"},
    {"rowsPerMatch", "MATCH"},
    {"after", "SKIP"},
    {"after", "PAST"},
    {"after", "LAST"},
    {"after", "FIRST"},
    {"after", "NEXT"},
    {"partialFinalType", "PARTIAL"},
    {"partialFinalType", "FINAL"},
    {"partialFinalType", "NONE"},
    {"rankType", "ROW_NUMBER"},
    {"rankType", "RANK"},
    {"rankType", "DENSE_RANK"},
    {"leftToRight", "Binary"},
    {"rightToLeft", "Binary"},
    {"leftToRight", "Cascade"},
    {"rightToLeft", "Cascade"},
    {"build", "left"},
    {"build", "right"},
    {"conflictStrategy", "NOTHING"},
    {"conflictStrategy", "ERROR"},
    {"conflictStrategy", "DEDUPLICATE"},
    {"async", "UNORDERED"},
    {"async", "ORDERED"},
    {"retry", "FIXED_DELAY"},
    {"stateTtlHints", "options"},
    {"orderBy", "FIRST"},
    {"orderBy", "LAST"},
    {"watermarkEmitStrategy", "periodic"},
}};

// Operators that Flink describes by their name alone.
constexpr std::array<std::string_view, 8> kBareOperators = {"ConstraintEnforcer",
                                                            "DropUpdateBefore",
                                                            "DynamicFilteringDataCollector",
                                                            "ExecutionOrderEnforcer",
                                                            "Sink",
                                                            "SinkMaterializer",
                                                            "SinkUpsertMaterializer",
                                                            "StreamRecordTimestampInserter"};

constexpr std::array<std::string_view, 8> kTimeUnits = {"YEAR", "MONTH",  "WEEK",   "DAY",
                                                        "HOUR", "MINUTE", "SECOND", "QUARTER"};
// Of durations in kMeasures.
constexpr std::array<std::string_view, 8> kShortUnits = {"ms", "s",  "min", "h",
                                                         "d",  "us", "ns",  "ROWS"};
// Parts of names that Flink makes up: "w0$o1", "$f2", "EXPR$0", "count1$3".
constexpr std::array<std::string_view, 13> kMadeUp = {
    "EXPR", "cor",      "distinct", "e",         "end",   "f", "g",
    "o",    "proctime", "rowtime",  "slice_end", "start", "w"};

// "f5_0" → "f": the letters before numbers.
std::string_view WithoutNumbers(std::string_view part) {
  const auto last = part.find_last_not_of("0123456789_");
  return last == std::string_view::npos ? std::string_view() : part.substr(0, last + 1);
}

bool IsMadeUp(std::string_view word) {
  if (word.find('$') == std::string_view::npos) return false;
  while (!word.empty()) {
    const auto end = std::min(word.find('$'), word.size());
    const std::string_view part = word.substr(0, end);
    word.remove_prefix(std::min(end + 1, word.size()));
    const std::string_view stem = WithoutNumbers(part);
    if (stem.empty() || IsOneOf(kMadeUp, stem) || IsFlinkCallable(part)) continue;
    // Two-phase aggregations: "max$0" of MAX.
    std::string upper(stem);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const bool of_function = upper != stem && IsFlinkCallable(upper);
    if (!of_function && part != "window_start" && part != "window_end") return false;
  }
  return true;
}

constexpr std::size_t kMaxBracketDepth = 64;

class Scanner {
 public:
  Scanner(std::string_view text, Pseudonyms* names) : text_(text), names_(*names) {}

  std::string Run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (IsWordChar(c)) {
        Word();
      } else if (c == '\'') {
        Quote();
      } else {
        Mark(c);
      }
    }
    return std::move(out_);
  }

 private:
  // What an open bracket belongs to.
  struct Frame {
    std::string_view attribute;  // of "attribute=["; empty for other brackets
    std::string_view callable;   // of "CALLABLE("
  };

  char CharAt(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  void Mark(char c) {
    if (c == '(' || c == '[' || c == '{') {
      Open(c);
    } else if (c == ')' || c == ']' || c == '}') {
      Close();
    }
    if (c != '=') pending_attribute_ = {};
    pending_callable_ = {};
    if (c != ' ' && c != ':') before_ = {};
    // One line: what breaks lines in a graph's description is "<br/>".
    out_ += c == '\n' || c == '\r' ? ' ' : c;
    ++at_;
  }

  // Every word looks at all that is open: a hostile text must not cost its length squared.
  void Open(char c) {
    if (frames_.size() >= kMaxBracketDepth) {
      ++deeper_;
    } else {
      frames_.push_back({c == '[' ? pending_attribute_ : std::string_view(), pending_callable_});
    }
  }

  void Close() {
    if (deeper_ > 0) {
      --deeper_;
    } else if (!frames_.empty()) {
      frames_.pop_back();
    }
  }

  std::string_view Attribute() const {
    const auto innermost = std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& frame) {
      return !frame.attribute.empty();
    });
    return innermost == frames_.rend() ? std::string_view() : innermost->attribute;
  }

  bool InMeasure() const {
    return std::any_of(frames_.begin(), frames_.end(),
                       [](const Frame& frame) { return IsOneOf(kMeasures, frame.attribute); });
  }

  // Whether attributes are written here: no enclosing one holds names.
  bool InOperator() const {
    return std::all_of(frames_.begin(), frames_.end(), [](const Frame& frame) {
      return frame.attribute.empty() || IsOneOf(kNested, frame.attribute);
    });
  }

  void Word() {
    std::size_t end = at_;
    while (end < text_.size() && IsWordChar(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const bool keep = IsDigits(word) ? KeepsNumber(end) : KeepsWord(word, end);
    if (keep) {
      out_ += word;
    } else {
      out_ += IsDigits(word) ? names_.Number(word) : names_.Word(word);
    }
    pending_attribute_ = keep && CharAt(end) == '=' ? word : std::string_view();
    pending_callable_ = keep ? word : std::string_view();
    before_ = word;
    at_ = end;
  }

  bool KeepsNumber(std::size_t end) const {
    const char before = at_ == 0 ? '\0' : text_[at_ - 1];
    if (InMeasure() || text_.substr(end).starts_with(":INTERVAL")) return true;
    // "rankStart=1" and the like; "TABLE(#0)"; "Join[19]".
    if (before == '#' && end - at_ <= 2) return true;
    if (frames_.empty()) return false;
    const Frame& frame = frames_.back();
    if (before == '[' && CharAt(end) == ']' && frames_.size() == 1) return true;
    return IsTypeWithNumbers(frame.callable);
  }

  static bool IsTypeWithNumbers(std::string_view word) {
    static constexpr std::array<std::string_view, 13> kTypes = {
        "VARCHAR",   "CHAR", "DECIMAL", "NUMERIC",       "BINARY", "VARBINARY",
        "TIMESTAMP", "TIME", "YEAR",    "TIMESTAMP_LTZ", "DAY",    "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
        "SECOND"};
    return IsOneOf(kTypes, word);
  }

  bool KeepsWord(std::string_view word, std::size_t end) const {
    const char next = CharAt(end);
    if (IsMadeUp(word)) return true;
    if (InMeasure() && IsMeasure(word)) return true;
    if (next == '(' || next == '[') return IsFlinkCallable(word);
    if (next == '=' && CharAt(end + 1) != '=' && IsFlinkAttribute(word)) return InOperator();
    if (IsFlinkWord(word)) return true;
    if (frames_.empty()) return IsRole(word, end);
    const bool after_interval = before_ == "INTERVAL" || before_ == "TO";
    if (after_interval && IsOneOf(kTimeUnits, word)) return true;
    const std::string_view attribute = Attribute();
    return std::any_of(kValues.begin(), kValues.end(), [&](const ValueWord& value) {
      return value.attribute == attribute && value.word == word;
    });
  }

  // "10000ms", or the unit of "10 s".
  bool IsMeasure(std::string_view word) const {
    const auto digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const std::string_view unit = word.substr(digits);
    return IsOneOf(kShortUnits, unit) && (digits > 0 || IsDigits(before_));
  }

  // "Source: orders", "Sink: Writer", "kv_sink: Committer"; "DropUpdateBefore" alone.
  bool IsRole(std::string_view word, std::size_t end) const {
    const bool first = at_ == 0;
    const bool last = end == text_.size();
    if (first && text_.substr(end).starts_with(": ")) return word == "Source" || word == "Sink";
    if (!first && last && text_.substr(0, at_).ends_with(": ")) {
      return word == "Writer" || word == "Committer";
    }
    return first && last && IsOneOf(kBareOperators, word);
  }

  // A literal becomes one pseudonym. Flink prints unpaired quotes, too: "start('w$)".
  void Quote() {
    const std::size_t begin = at_ + 1;
    const std::size_t end = EndOfLiteral(begin);
    before_ = {};
    pending_callable_ = {};
    out_ += '\'';
    at_ = begin;
    if (end == std::string_view::npos) return;
    if (end > begin) out_ += names_.Literal(text_.substr(begin, end - begin));
    out_ += '\'';
    at_ = end + 1;
  }

  std::size_t EndOfLiteral(std::size_t begin) {
    const std::string_view rest = text_.substr(begin);
    if (unpaired_) return std::string_view::npos;
    if (rest.starts_with("w$)") || rest.starts_with("w$,")) return std::string_view::npos;
    for (std::size_t i = begin; i < text_.size(); ++i) {
      if (text_[i] != '\'') continue;
      if (CharAt(i + 1) == '\'') {
        ++i;  // a quote within
      } else if (!IsWordChar(CharAt(i + 1))) {
        return i;
      }
    }
    unpaired_ = true;  // nor will one that begins later have an end
    return std::string_view::npos;
  }

  const std::string_view text_;
  Pseudonyms& names_;
  std::string out_;
  std::size_t at_ = 0;
  std::vector<Frame> frames_;
  std::size_t deeper_ = 0;  // brackets beyond the deepest frame
  bool unpaired_ = false;
  std::string_view pending_attribute_;  // the word before "=", until its bracket opens
  std::string_view pending_callable_;   // the word before a bracket
  std::string_view before_;             // the last word, if only blanks or a colon stand since
};

}  // namespace

std::string AnonymousText(std::string_view text, Pseudonyms* names) {
  return Scanner(text, names).Run();
}

}  // namespace fss
