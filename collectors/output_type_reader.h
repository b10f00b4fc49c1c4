// Finds the event-time attribute in a plan node's "outputType", and what types its columns have,
// out of the events of a JSON parser.
//
// The type is text where all columns are simple ("ROW<`a` BIGINT>"), and an object where one is
// not:
// {"type": "ROW", "fields": [{"name": "ts", "fieldType": {"type": "TIMESTAMP_WITHOUT_TIME_ZONE",
// "kind": "ROWTIME", …}}]} (Flink 1.18 to 2.3). Anything else is passed over. Not thread safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "collectors/json_token.h"

namespace fss {

class OutputTypeReader {
 public:
  // The object begins: what was found before is forgotten.
  void Begin();
  // A value that is no container; `key` is the last key of the innermost entered object.
  void Scalar(std::string_view key, const JsonToken& token);
  // A container begins. False: it is not wanted, the caller skips it whole, without Close().
  bool Open(std::string_view key, JsonToken::Type type);
  // The container that was entered last ends. True: it was the whole type.
  bool Close();

  // The first event-time attribute, empty where there is none, and whether it is a TIMESTAMP_LTZ.
  const std::string& rowtime() const { return rowtime_; }
  bool ltz() const { return rowtime_ltz_; }
  // PlanNode::row_type; 0 where a column is of a type that is not read whole.
  std::uint64_t row_type() const;

 private:
  // Each level lies in the one before it.
  enum class Level { kType, kFields, kField, kFieldType };
  struct Column {
    std::string name;
    std::string type;
    std::string precision;
    std::string more;  // whatever else its type says of itself
    bool not_null = false;
    bool is_rowtime = false;
    bool is_ltz = false;
  };

  void FieldTypeScalar(std::string_view key, const JsonToken& token);
  void CloseColumn();

  Level level_ = Level::kType;
  Column column_;  // the one being read
  std::string rowtime_;
  bool rowtime_ltz_ = false;
  std::string types_;  // of the columns read so far, as a type that is text has them
  bool types_known_ = true;
};

// The same of a type that is text: "ROW<`a` BIGINT, `b` VARCHAR(10) NOT NULL>".
std::uint64_t RowTypeOfText(std::string_view type);

}  // namespace fss
