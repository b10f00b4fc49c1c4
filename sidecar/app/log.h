// The log: structured lines on stderr, logfmt or JSON.
//
// Safe from any thread after InitLog.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "sidecar/base/result.h"

namespace fss {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

// Reads --log_format and --log_level; kInvalidArgument names the flag.
Status InitLog();

using LogField = std::pair<std::string_view, std::string>;

// One line: time, level, message, then the fields. Field values may be any bytes.
void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

// Logs a trouble that lasts over many polls: when it begins, changes, or ends, and once in
// `kRepeatEvery` times in between. Not thread safe; one per topic.
class TroubleLog {
 public:
  explicit TroubleLog(std::string topic) : topic_(std::move(topic)) {}
  void Failed(const std::string& error);
  void Recovered();

 private:
  // At the default interval of 15 s, once in ten minutes.
  static constexpr int kRepeatEvery = 40;
  std::string topic_;
  std::string last_;
  int repeats_ = 0;
};

}  // namespace fss
