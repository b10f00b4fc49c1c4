#include "collectors/sink_key_reader.h"

#include <charconv>
#include <system_error>
#include <utility>

namespace fss {

void SinkKeyReader::BeginNode() {
  BeginTable();
  upsert_key_.clear();
}

void SinkKeyReader::BeginTable() {
  level_ = Level::kSink;
  columns_.clear();
  primary_key_.clear();
}

void SinkKeyReader::Scalar(std::string_view key, const JsonToken& token) {
  if (token.type != JsonToken::Type::kString) return;
  if (level_ == Level::kKeyColumns) {
    primary_key_.emplace_back(token.text);
  } else if (level_ == Level::kColumn && key == "name") {
    name_ = std::string(token.text);
  } else if (level_ == Level::kColumn && key == "kind") {
    physical_ = token.text == "PHYSICAL";
  }
}

bool SinkKeyReader::Open(std::string_view key, JsonToken::Type type) {
  const bool object = type == JsonToken::Type::kObject;
  const auto enter = [this](bool wanted, Level level) {
    if (wanted) level_ = level;
    return wanted;
  };
  switch (level_) {
    case Level::kSink:
      return enter(object && key == "table", Level::kTable);
    case Level::kTable:
      return enter(object && key == "resolvedTable", Level::kResolved);
    case Level::kResolved:
      return enter(object && key == "schema", Level::kSchema);
    case Level::kSchema:
      if (key == "columns" && !object) {
        columns_.clear();
        return enter(true, Level::kColumns);
      }
      return enter(object && key == "primaryKey", Level::kKey);
    case Level::kColumns:
      name_.clear();
      physical_ = true;
      return enter(object, Level::kColumn);
    case Level::kKey:
      if (key != "columns" || object) return false;
      primary_key_.clear();
      return enter(true, Level::kKeyColumns);
    case Level::kColumn:
    case Level::kKeyColumns:
      return false;
  }
  return false;
}

bool SinkKeyReader::Close() {
  switch (level_) {
    case Level::kSink:
      return true;
    case Level::kTable:
      level_ = Level::kSink;
      return false;
    case Level::kResolved:
      level_ = Level::kTable;
      return false;
    case Level::kSchema:
      level_ = Level::kResolved;
      return false;
    case Level::kColumns:
    case Level::kKey:
      level_ = Level::kSchema;
      return false;
    case Level::kColumn:
      if (physical_) columns_.push_back(std::move(name_));
      level_ = Level::kColumns;
      return false;
    case Level::kKeyColumns:
      level_ = Level::kKey;
      return false;
  }
  return true;
}

void SinkKeyReader::UpsertKeyColumn(const JsonToken& token) {
  std::size_t place = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, place);
  // A place that is no number still is a column of the key: one without a name.
  upsert_key_.push_back(error == std::errc() && stop == end ? place : SIZE_MAX);
}

std::shared_ptr<const SinkKeys> SinkKeyReader::Finish() {
  if (primary_key_.empty()) return nullptr;
  auto keys = std::make_shared<SinkKeys>();
  keys->primary = std::move(primary_key_);
  for (const std::size_t place : upsert_key_) {
    keys->upsert.push_back(place < columns_.size() ? columns_[place] : std::string());
  }
  return keys;
}

}  // namespace fss
