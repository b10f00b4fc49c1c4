#include "exporters/json/json_writer.h"

#include <cmath>

#include "sidecar/base/text.h"

namespace fss {
namespace {

// A piece: large enough that sending costs little beside writing, small enough that the answer
// for a thousand jobs is never in memory as a whole.
constexpr std::size_t kPieceBytes = 64UL * 1024;

rapidjson::SizeType Length(std::string_view text) {
  return static_cast<rapidjson::SizeType>(text.size());
}

}  // namespace

void JsonWriter::Name(std::string_view name) { writer_.Key(name.data(), Length(name)); }

void JsonWriter::BeginObject(std::string_view name) {
  Name(name);
  writer_.StartObject();
}

void JsonWriter::BeginArray(std::string_view name) {
  Name(name);
  writer_.StartArray();
}

void JsonWriter::Text(std::string_view name, std::string_view text) {
  Name(name);
  Element(text);
}

void JsonWriter::Element(std::string_view text) {
  const std::string valid = ValidUtf8(text);
  writer_.String(valid.data(), Length(valid));
}

void JsonWriter::Int(std::string_view name, std::int64_t number) {
  Name(name);
  writer_.Int64(number);
}

void JsonWriter::Bool(std::string_view name, bool flag) {
  Name(name);
  writer_.Bool(flag);
}

void JsonWriter::TextIfAny(std::string_view name, std::string_view text) {
  if (!text.empty()) {
    Text(name, text);
  }
}

void JsonWriter::IntIfAny(std::string_view name, const std::optional<std::int64_t>& number) {
  if (number) {
    Int(name, *number);
  }
}

void JsonWriter::IntIfAny(std::string_view name, const std::optional<int>& number) {
  if (number) {
    Int(name, *number);
  }
}

void JsonWriter::NumberIfAny(std::string_view name, const std::optional<double>& number) {
  constexpr double kThousandth = 1000;
  if (number && std::isfinite(*number)) {
    Name(name);
    writer_.Double(std::round(*number * kThousandth) / kThousandth);
  }
}

void JsonWriter::BoolIfAny(std::string_view name, const std::optional<bool>& flag) {
  if (flag) {
    Bool(name, *flag);
  }
}

bool JsonWriter::Send() {
  const std::string_view piece(buffer_.GetString(), buffer_.GetSize());
  if (!gone_ && !piece.empty()) {
    gone_ = !sink_(piece);
  }
  buffer_.Clear();
  return !gone_;
}

bool JsonWriter::SendIfLarge() { return buffer_.GetSize() < kPieceBytes ? !gone_ : Send(); }

void JsonWriter::Finish() { Send(); }

std::string JsonText(const std::function<void(JsonSink)>& write) {
  std::string text;
  write([&text](std::string_view piece) {
    text.append(piece);
    return true;
  });
  return text;
}

}  // namespace fss
