#include "collectors/output_type_reader.h"

#include <functional>
#include <utility>

namespace fss {
namespace {

// Between the types of two columns, as in a type that is text.
constexpr std::string_view kBetween = ", ";

// Never 0, which is "not known". Good within one process, which is all that is asked.
std::uint64_t Fingerprint(std::string_view types) {
  const auto hash = static_cast<std::uint64_t>(std::hash<std::string_view>{}(types));
  return hash != 0 ? hash : 1;
}

// Flink's serializers do not tell an event-time attribute from a plain timestamp.
std::string_view ShortName(std::string_view type) {
  if (type == "TIMESTAMP_WITHOUT_TIME_ZONE") return "TIMESTAMP";
  if (type == "TIMESTAMP_WITH_LOCAL_TIME_ZONE") return "TIMESTAMP_LTZ";
  return type;
}

}  // namespace

std::uint64_t RowTypeOfText(std::string_view type) {
  constexpr std::string_view kRow = "ROW<";
  if (!type.starts_with(kRow)) return 0;
  type.remove_prefix(kRow.size());
  std::string types;
  int depth = 0;
  bool quoted = false;
  for (const char c : type) {
    // The names of columns are left out; those of a nested row are part of its type.
    if (c == '`') quoted = !quoted;
    if (c == '`' || quoted) {
      if (depth > 0) types.push_back(c);
      continue;
    }
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    // Behind a name there is one blank.
    if (c == ' ' && (types.empty() || types.ends_with(kBetween))) continue;
    types.push_back(c);
  }
  return Fingerprint(types.substr(0, types.rfind('>')));
}

void OutputTypeReader::Begin() { *this = OutputTypeReader(); }

std::uint64_t OutputTypeReader::row_type() const { return types_known_ ? Fingerprint(types_) : 0; }

void OutputTypeReader::Scalar(std::string_view key, const JsonToken& token) {
  if (level_ == Level::kFieldType) FieldTypeScalar(key, token);
  if (level_ != Level::kField || token.type != JsonToken::Type::kString) return;
  if (key == "name") column_.name = std::string(token.text);
  if (key == "fieldType") column_.type = std::string(token.text);
}

void OutputTypeReader::FieldTypeScalar(std::string_view key, const JsonToken& token) {
  const bool text = token.type == JsonToken::Type::kString;
  if (key == "kind") {
    column_.is_rowtime = text && token.text == "ROWTIME";
  } else if (key == "type") {
    column_.is_ltz = text && token.text == "TIMESTAMP_WITH_LOCAL_TIME_ZONE";
    column_.type = std::string(ShortName(token.text));
  } else if (key == "nullable") {
    column_.not_null = token.text == "false";
  } else if (key == "precision") {
    column_.precision = std::string(token.text);
  } else {
    column_.more.append(" ").append(key).append("=").append(token.text);
  }
}

bool OutputTypeReader::Open(std::string_view key, JsonToken::Type type) {
  const bool object = type == JsonToken::Type::kObject;
  switch (level_) {
    case Level::kType:
      if (key != "fields" || type != JsonToken::Type::kArray) return false;
      level_ = Level::kFields;
      return true;
    case Level::kFields:
      if (!object) return false;
      column_ = Column();
      level_ = Level::kField;
      return true;
    case Level::kField:
      if (key != "fieldType") return false;
      if (!object) {
        types_known_ = false;
        return false;
      }
      level_ = Level::kFieldType;
      return true;
    case Level::kFieldType:
      types_known_ = false;  // a type within the type
      return false;
  }
  return false;
}

void OutputTypeReader::CloseColumn() {
  types_.append(types_.empty() ? "" : kBetween).append(column_.type);
  if (!column_.precision.empty()) types_.append("(").append(column_.precision).append(")");
  types_.append(column_.more).append(column_.not_null ? " NOT NULL" : "");
  if (column_.is_rowtime && rowtime_.empty() && !column_.name.empty()) {
    rowtime_ = std::move(column_.name);
    rowtime_ltz_ = column_.is_ltz;
  }
}

bool OutputTypeReader::Close() {
  switch (level_) {
    case Level::kType:
      return true;
    case Level::kFields:
      level_ = Level::kType;
      return false;
    case Level::kField:
      CloseColumn();
      level_ = Level::kFields;
      return false;
    case Level::kFieldType:
      level_ = Level::kField;
      return false;
  }
  return true;
}

}  // namespace fss
