#include "collectors/plan_reader.h"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <utility>

#include "collectors/bounded_file.h"
#include "collectors/plan_builder.h"

namespace fss {
namespace {

// Deeper than any expression that Flink's own reader (Jackson) accepts by default, 1,000 from 2.15
// on and limited by its thread's stack before.
constexpr std::size_t kMaxNesting = 10'000;

// Iterative: nesting costs heap by kMaxNesting, never the stack. Numbers stay text: an id beyond
// 64 bits must not become a double, and a TTL may be a bare number.
constexpr unsigned kParseFlags = rapidjson::kParseIterativeFlag |
                                 rapidjson::kParseNumbersAsStringsFlag |
                                 rapidjson::kParseValidateEncodingFlag;

// Keeps count of lines up to the parser's place, each byte looked at once.
class LineCounter {
 public:
  LineCounter(std::string_view json, const rapidjson::MemoryStream& stream)
      : json_(json), stream_(stream) {}

  int Line() {
    for (const std::size_t now = stream_.Tell(); at_ < now; ++at_) {
      if (json_[at_] == '\n') ++line_;
    }
    return line_;
  }

 private:
  std::string_view json_;
  const rapidjson::MemoryStream& stream_;
  std::size_t at_ = 0;
  int line_ = 1;
};

// Turns RapidJSON's events into the builder's: what lies in places the builder does not want is
// skipped here, with its depth counted.
class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
 public:
  Handler(PlanBuilder* builder, LineCounter* lines) : builder_(builder), lines_(lines) {}

  bool Null() { return Value({JsonToken::Type::kNull, "null"}); }
  bool Bool(bool value) { return Value({JsonToken::Type::kBool, value ? "true" : "false"}); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    return Value({JsonToken::Type::kNumber, {text, length}});
  }
  bool String(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    return Value({JsonToken::Type::kString, {text, length}});
  }
  bool Key(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    if (skipped_ == 0) builder_->Key({text, length});
    return true;
  }
  bool StartObject() { return Start(JsonToken::Type::kObject); }
  bool StartArray() { return Start(JsonToken::Type::kArray); }
  bool EndObject(rapidjson::SizeType /*count*/) { return End(); }
  bool EndArray(rapidjson::SizeType /*count*/) { return End(); }

  bool too_deep() const { return too_deep_; }

 private:
  bool Value(const JsonToken& token) { return skipped_ > 0 || builder_->Scalar(token); }

  bool Start(JsonToken::Type type) {
    if (++depth_ > kMaxNesting) {
      too_deep_ = true;
      return false;
    }
    if (skipped_ == 0) {
      switch (builder_->Open(type, lines_->Line())) {
        case PlanBuilder::Entered::kYes:
          return true;
        case PlanBuilder::Entered::kError:
          return false;
        case PlanBuilder::Entered::kSkip:
          break;
      }
    }
    ++skipped_;
    return true;
  }

  bool End() {
    --depth_;
    if (skipped_ > 0) {
      --skipped_;
      return true;
    }
    return builder_->Close();
  }

  PlanBuilder* builder_;
  LineCounter* lines_;
  std::size_t depth_ = 0;
  std::size_t skipped_ = 0;
  bool too_deep_ = false;
};

Error Malformed(std::string message, const std::string& file) {
  return Error{ErrorCode::kMalformed, std::move(message), file};
}

std::string Place(std::size_t offset, int line) {
  return " at byte " + std::to_string(offset) + " (line " + std::to_string(line) + ")";
}

bool IsUtf16(std::string_view bytes) {
  if (bytes.size() < 2) return false;
  const auto first = static_cast<unsigned char>(bytes[0]);
  const auto second = static_cast<unsigned char>(bytes[1]);
  const bool mark = (first == 0xFE && second == 0xFF) || (first == 0xFF && second == 0xFE);
  return mark || first == 0 || second == 0;  // "{" is "\0{" or "{\0"
}

bool OnlyBlanks(std::string_view bytes) {
  return bytes.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

Result<CompiledPlan> ReadPlan(std::string_view json, std::string file) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (json.size() > kMaxPlanBytes) {
    return Error{ErrorCode::kTooLarge,
                 "larger than " + std::to_string(kMaxPlanBytes) + " bytes: no compiled plan", file};
  }
  if (OnlyBlanks(json)) return Malformed("the file is empty", file);
  if (IsUtf16(json)) return Malformed("not UTF-8 text (UTF-16 or binary?): no compiled plan", file);
  PlanBuilder builder;
  const std::size_t skipped = json.substr(0, kByteOrderMark.size()) == kByteOrderMark ? 3 : 0;
  if (skipped > 0) builder.Problem("the file begins with a byte order mark");
  json.remove_prefix(skipped);

  rapidjson::MemoryStream stream(json.data(), json.size());
  LineCounter lines(json, stream);
  Handler handler(&builder, &lines);
  rapidjson::Reader reader;
  const rapidjson::ParseResult parsed = reader.Parse<kParseFlags>(stream, handler);
  if (parsed.IsError()) {
    const std::string place = Place(parsed.Offset() + skipped, lines.Line());
    if (handler.too_deep()) {
      return Malformed("nested deeper than " + std::to_string(kMaxNesting) + " levels" + place,
                       file);
    }
    if (!builder.error().empty()) return Malformed(builder.error(), file);
    std::string reason = rapidjson::GetParseError_En(parsed.Code());
    while (!reason.empty() && reason.back() == '.') reason.pop_back();
    return Malformed("no JSON" + place + ": " + reason, file);
  }
  // The parser takes a NUL byte for the end.
  if (stream.Tell() < json.size() && !OnlyBlanks(json.substr(stream.Tell()))) {
    return Malformed("no JSON" + Place(stream.Tell() + skipped, lines.Line()) +
                         ": bytes after the end of the document",
                     file);
  }
  return std::move(builder).Finish(std::move(file));
}

Result<CompiledPlan> ReadPlanFile(const std::string& path, std::string shown_name) {
  Result<FileContent> content = ReadBoundedFile(path, kMaxPlanBytes, /*regular_only=*/false);
  if (!content) {
    Error error = content.error();
    error.context = std::move(shown_name);
    return error;
  }
  return ReadPlan(content->bytes, std::move(shown_name));
}

}  // namespace fss
