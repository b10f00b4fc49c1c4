#include "collectors/output_type_reader.h"

#include <utility>

namespace fss {

void OutputTypeReader::Begin() { *this = OutputTypeReader(); }

void OutputTypeReader::Scalar(std::string_view key, const JsonToken& token) {
  if (token.type != JsonToken::Type::kString) return;
  if (level_ == Level::kField && key == "name") {
    name_ = std::string(token.text);
  } else if (level_ == Level::kFieldType && key == "kind") {
    is_rowtime_ = token.text == "ROWTIME";
  } else if (level_ == Level::kFieldType && key == "type") {
    is_ltz_ = token.text == "TIMESTAMP_WITH_LOCAL_TIME_ZONE";
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
      name_.clear();
      is_rowtime_ = false;
      is_ltz_ = false;
      level_ = Level::kField;
      return true;
    case Level::kField:
      if (key != "fieldType" || !object) return false;
      level_ = Level::kFieldType;
      return true;
    case Level::kFieldType:
      return false;
  }
  return false;
}

bool OutputTypeReader::Close() {
  switch (level_) {
    case Level::kType:
      return true;
    case Level::kFields:
      level_ = Level::kType;
      return false;
    case Level::kField:
      if (is_rowtime_ && rowtime_.empty() && !name_.empty()) {
        rowtime_ = std::move(name_);
        rowtime_ltz_ = is_ltz_;
      }
      level_ = Level::kFields;
      return false;
    case Level::kFieldType:
      level_ = Level::kField;
      return false;
  }
  return true;
}

}  // namespace fss
