// Finds the event-time attribute in a plan node's "outputType", out of the events of a JSON parser.
//
// The type is text where all columns are simple ("ROW<`a` BIGINT>"), and an object where one is
// not:
// {"type": "ROW", "fields": [{"name": "ts", "fieldType": {"type": "TIMESTAMP_WITHOUT_TIME_ZONE",
// "kind": "ROWTIME", …}}]} (Flink 1.18 to 2.3). Anything else is passed over. Not thread safe.
#pragma once

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

 private:
  // Each level lies in the one before it.
  enum class Level { kType, kFields, kField, kFieldType };

  Level level_ = Level::kType;
  std::string name_;  // of the field being read
  bool is_rowtime_ = false;
  bool is_ltz_ = false;
  std::string rowtime_;
  bool rowtime_ltz_ = false;
};

}  // namespace fss
