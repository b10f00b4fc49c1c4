#include "collectors/rest/json_answer.h"

#include <rapidjson/reader.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "sidecar/base/text.h"

namespace fss {
namespace {

// Past these it is no answer of Flink's (a plan of 1,000 vertices has 20,000 values, 6 levels),
// but a body made to fill memory: each value takes 16 bytes or more once parsed.
constexpr std::size_t kMaxValues = 2'000'000;
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxLineBytes = 200;
// Of an error's body only the head is looked at: the rest is a stack trace.
constexpr std::size_t kMaxErrorBodyBytes = 256U << 10U;

// Iterative: depth costs no stack. NaN and Infinity are taken as numbers and then are absent.
constexpr unsigned kParseFlags =
    rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag;

// Hands values on to the document being built until there are too many.
class LimitedHandler {
 public:
  using Ch = char;
  explicit LimitedHandler(rapidjson::Document* document) : document_(document) {}

  bool Null() { return More() && document_->Null(); }
  bool Bool(bool b) { return More() && document_->Bool(b); }
  bool Int(int i) { return More() && document_->Int(i); }
  bool Uint(unsigned u) { return More() && document_->Uint(u); }
  bool Int64(std::int64_t i) { return More() && document_->Int64(i); }
  bool Uint64(std::uint64_t u) { return More() && document_->Uint64(u); }
  bool Double(double d) { return More() && document_->Double(d); }
  bool RawNumber(const char* s, rapidjson::SizeType n, bool copy) {
    return More() && document_->RawNumber(s, n, copy);
  }
  bool String(const char* s, rapidjson::SizeType n, bool copy) {
    return More() && document_->String(s, n, copy);
  }
  bool Key(const char* s, rapidjson::SizeType n, bool copy) { return document_->Key(s, n, copy); }
  bool StartObject() { return Deeper() && document_->StartObject(); }
  bool EndObject(rapidjson::SizeType n) {
    --depth_;
    return document_->EndObject(n);
  }
  bool StartArray() { return Deeper() && document_->StartArray(); }
  bool EndArray(rapidjson::SizeType n) {
    --depth_;
    return document_->EndArray(n);
  }

 private:
  bool More() { return ++values_ <= kMaxValues; }
  bool Deeper() { return More() && ++depth_ <= kMaxDepth; }

  rapidjson::Document* document_;
  std::size_t values_ = 0;
  std::size_t depth_ = 0;
};

enum class ParseOutcome { kGood, kMalformed, kTooLarge };

// Parses `body` in place into `document`, which points into it afterwards.
ParseOutcome ParseInPlace(std::string* body, rapidjson::Document* document) {
  // The parser takes NUL for the end of its input: what follows would go unseen.
  if (body->find('\0') != std::string::npos) return ParseOutcome::kMalformed;
  ParseOutcome outcome = ParseOutcome::kMalformed;
  auto generate = [&](rapidjson::Document& target) {
    rapidjson::InsituStringStream stream(body->data());
    rapidjson::Reader reader;
    LimitedHandler handler(&target);
    const rapidjson::ParseResult result = reader.Parse<kParseFlags>(stream, handler);
    if (!result.IsError()) outcome = ParseOutcome::kGood;
    if (result.Code() == rapidjson::kParseErrorTermination) outcome = ParseOutcome::kTooLarge;
    return !result.IsError();
  };
  document->Populate(generate);
  return outcome;
}

// "<", after white space: HTML or XML, what proxies and ingresses answer.
bool LooksLikeMarkup(std::string_view body) {
  const auto first = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && body[first] == '<';
}

std::string NotFlink(const RestAnswer& answer) {
  std::string line = "not a Flink answer";
  if (LooksLikeMarkup(answer.body)) {
    line += " (an HTML page)";
  } else if (answer.body.empty()) {
    line += " (empty)";
  } else if (!answer.content_type.empty() &&
             answer.content_type.find("json") == std::string::npos) {
    line += " (" + answer.content_type + ")";
  }
  return line;
}

// "org.apache.flink.…NotFoundException: Job x not found" → "Job x not found".
std::string_view WithoutExceptionNames(std::string_view line) {
  for (;;) {
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) return line;
    const std::string_view name = line.substr(0, colon);
    const bool exception = name.find(' ') == std::string_view::npos &&
                           (name.ends_with("Exception") || name.ends_with("Error"));
    if (!exception) return line;
    line.remove_prefix(colon + 2);
  }
}

// Says nothing: Flink puts it before the cause.
bool IsPreamble(std::string_view line) {
  return line.empty() || line.starts_with("Internal server error") ||
         line.starts_with("<Exception on server side");
}

// The first line of an error text that says something; empty when there is none.
std::string TellingLine(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    if (!IsPreamble(line)) return OneLine(WithoutExceptionNames(line), kMaxLineBytes);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return "";
}

}  // namespace

Result<JsonAnswer> JsonAnswer::Parse(RestAnswer answer) {
  return ParseAs(rapidjson::kObjectType, std::move(answer));
}

Result<JsonAnswer> JsonAnswer::ParseArray(RestAnswer answer) {
  return ParseAs(rapidjson::kArrayType, std::move(answer));
}

Result<JsonAnswer> JsonAnswer::ParseAs(rapidjson::Type type, RestAnswer answer) {
  if (answer.status < 200 || answer.status > 299) {
    const ErrorCode code = answer.status == 404 ? ErrorCode::kNotFound : ErrorCode::kHttpStatus;
    return Error{code, "HTTP " + std::to_string(answer.status) + ": " + ErrorLine(answer), ""};
  }
  JsonAnswer json;
  const std::string refusal = NotFlink(answer);
  json.body_ = std::make_unique<std::string>(std::move(answer.body));
  const ParseOutcome outcome = ParseInPlace(json.body_.get(), &json.document_);
  if (outcome == ParseOutcome::kTooLarge) {
    return Error{ErrorCode::kTooLarge, "an answer with too many values", ""};
  }
  if (outcome != ParseOutcome::kGood || json.document_.GetType() != type) {
    return Error{ErrorCode::kMalformed, refusal, ""};
  }
  return json;
}

const rapidjson::Value* Member(const rapidjson::Value& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

const rapidjson::Value* ArrayMember(const rapidjson::Value& object, const char* name) {
  const rapidjson::Value* value = Member(object, name);
  return value != nullptr && value->IsArray() ? value : nullptr;
}

const rapidjson::Value* ObjectMember(const rapidjson::Value& object, const char* name) {
  const rapidjson::Value* value = Member(object, name);
  return value != nullptr && value->IsObject() ? value : nullptr;
}

std::optional<std::int64_t> CountMember(const rapidjson::Value& object, const char* name) {
  const rapidjson::Value* value = Member(object, name);
  if (value == nullptr || !value->IsNumber()) return std::nullopt;
  if (value->IsInt64()) {
    return value->GetInt64() < 0 ? std::nullopt : std::optional(value->GetInt64());
  }
  if (value->IsUint64()) return std::nullopt;  // above 2^63-1
  // Exclusive: 2^63 itself is what the greatest 64-bit integer rounds to.
  constexpr double kLimit = 9223372036854775808.0;
  const double number = value->GetDouble();
  if (!std::isfinite(number) || number < 0 || number >= kLimit || std::trunc(number) != number) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number);
}

std::optional<bool> BoolMember(const rapidjson::Value& object, const char* name) {
  const rapidjson::Value* value = Member(object, name);
  if (value == nullptr || !value->IsBool()) return std::nullopt;
  return value->GetBool();
}

std::string TextMember(const rapidjson::Value& object, const char* name, std::size_t max_bytes) {
  const rapidjson::Value* value = Member(object, name);
  if (value == nullptr || !value->IsString()) return "";
  std::string_view text(value->GetString(), value->GetStringLength());
  // Cut before it is mended: a broken text may be megabytes. A character more than the limit, so
  // that the mended text still knows where its characters end.
  constexpr std::size_t kLongestCharacter = 4;
  text = text.substr(0, max_bytes + kLongestCharacter);
  const std::string valid = ValidUtf8(text);
  return std::string(TruncateUtf8(valid, max_bytes));
}

std::string ErrorLine(const RestAnswer& answer) {
  if (answer.body.size() <= kMaxErrorBodyBytes) {
    std::string body = answer.body;
    rapidjson::Document document;
    if (ParseInPlace(&body, &document) == ParseOutcome::kGood) {
      if (const rapidjson::Value* errors = ArrayMember(document, "errors")) {
        for (const rapidjson::Value& error : errors->GetArray()) {
          if (!error.IsString()) continue;
          std::string line = TellingLine({error.GetString(), error.GetStringLength()});
          if (!line.empty()) return line;
        }
        return "an error without a text";
      }
    }
  }
  return NotFlink(answer);
}

}  // namespace fss
