// A JobManager's answer as JSON, with limits, and careful reading of its members.
//
// Untrusted: whatever the bytes are, the outcome is a value or an Error. Thread safety: none.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"

namespace fss {

class JsonAnswer {
 public:
  // kNotFound for a 404, kHttpStatus for any other status that is not 2xx, both with one short
  // line of what Flink said; kMalformed for what is not a JSON object (a proxy's HTML page, a cut
  // body), kTooLarge for one with absurdly many values or levels.
  static Result<JsonAnswer> Parse(RestAnswer answer);
  // The same for an answer that is a JSON array, as metrics are.
  static Result<JsonAnswer> ParseArray(RestAnswer answer);

  const rapidjson::Value& root() const { return document_; }

 private:
  JsonAnswer() = default;
  static Result<JsonAnswer> ParseAs(rapidjson::Type type, RestAnswer answer);

  // Parsed in place: the values point into it. On the heap, so that a move leaves it where it is.
  std::unique_ptr<std::string> body_;
  rapidjson::Document document_;
};

// A status, a type: what Flink writes in one word.
inline constexpr std::size_t kMaxWordBytes = 64;

// Members of a JSON object. `object` may be any value: what is not an object has no members.
// Absent is what is missing, null, of another type, or (numbers) not a whole number in range.
const rapidjson::Value* Member(const rapidjson::Value& object, const char* name);
const rapidjson::Value* ArrayMember(const rapidjson::Value& object, const char* name);
const rapidjson::Value* ObjectMember(const rapidjson::Value& object, const char* name);
// A size, count, id or time: not negative (Flink writes -1 for "not known").
std::optional<std::int64_t> CountMember(const rapidjson::Value& object, const char* name);
std::optional<bool> BoolMember(const rapidjson::Value& object, const char* name);
// Valid UTF-8 of at most `max_bytes` bytes; longer texts are cut. Empty where absent.
std::string TextMember(const rapidjson::Value& object, const char* name, std::size_t max_bytes);

// One short line out of the body of an answer that is no success: the first telling line of
// {"errors":["…stack trace…"]}, or what kind of body it is.
std::string ErrorLine(const RestAnswer& answer);

}  // namespace fss
