// A JSON writer that sends what it has in pieces, and lets no broken text through.
#pragma once

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fss {

// Takes the next piece of a document. False: the reader has gone, the rest is not wanted.
using JsonSink = std::function<bool(std::string_view piece)>;

// Names are the product's own; texts are anybody's and become valid UTF-8 here. Not thread safe.
class JsonWriter {
 public:
  explicit JsonWriter(JsonSink sink) : sink_(std::move(sink)), writer_(buffer_) {}

  void BeginObject() { writer_.StartObject(); }
  void BeginObject(std::string_view name);
  void EndObject() { writer_.EndObject(); }
  void BeginArray() { writer_.StartArray(); }
  void BeginArray(std::string_view name);
  void EndArray() { writer_.EndArray(); }

  void Text(std::string_view name, std::string_view text);
  void Int(std::string_view name, std::int64_t number);
  void Bool(std::string_view name, bool flag);

  // A text or a number in an array.
  void Element(std::string_view text);
  void Element(std::int64_t number) { writer_.Int64(number); }

  // What is not known is left out.
  void TextIfAny(std::string_view name, std::string_view text);
  void IntIfAny(std::string_view name, const std::optional<std::int64_t>& number);
  void IntIfAny(std::string_view name, const std::optional<int>& number);
  // At most three decimals. What is no number (NaN, infinite) is not known either.
  void NumberIfAny(std::string_view name, const std::optional<double>& number);
  void BoolIfAny(std::string_view name, const std::optional<bool>& flag);

  // Sends what has gathered once it is worth a packet or more. False when the reader has gone:
  // stop writing. Call between elements of long arrays.
  bool SendIfLarge();
  // Sends the rest. Call once, at the end.
  void Finish();

 private:
  void Name(std::string_view name);
  bool Send();

  JsonSink sink_;
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_;
  bool gone_ = false;
};

// The whole document that `write` writes, as one text.
std::string JsonText(const std::function<void(JsonSink)>& write);

}  // namespace fss
