#include "sidecar/app/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <array>
#include <chrono>
#include <memory>

#include "sidecar/app/flags.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

bool json_lines = false;

// A JSON string; logfmt readers take the same quoting.
std::string Quote(std::string_view raw) {
  std::string quoted = "\"";
  for (const char c : ValidUtf8(raw)) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

bool PlainLogfmt(std::string_view value) {
  if (value.empty()) return false;
  for (const char c : value) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '=' || c == '\\' || c == 0x7f) {
      return false;
    }
  }
  return ValidUtf8(value) == value;
}

std::string Timestamp() {
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto millis = std::chrono::duration_cast<milliseconds>(now).count();
  const std::time_t seconds = millis / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> date{};
  const std::size_t n = std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  return fmt::format("{}.{:03}Z", std::string_view(date.data(), n), millis % 1000);
}

class LineBuilder {
 public:
  void Add(std::string_view key, std::string_view value) {
    if (json_lines) {
      line_ += line_.empty() ? "{" : ",";
      line_ += Quote(key) + ":" + Quote(value);
    } else {
      if (!line_.empty()) line_ += ' ';
      line_ += key;
      line_ += '=';
      line_ += PlainLogfmt(value) ? std::string(value) : Quote(value);
    }
  }
  std::string Take() && {
    if (json_lines) line_ += '}';
    return std::move(line_);
  }

 private:
  std::string line_;
};

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      break;
  }
  return spdlog::level::err;
}

constexpr std::array<std::pair<std::string_view, LogLevel>, 4> kLevels = {
    {{"debug", LogLevel::kDebug},
     {"info", LogLevel::kInfo},
     {"warn", LogLevel::kWarn},
     {"error", LogLevel::kError}}};

std::string_view LevelName(LogLevel level) {
  for (const auto& [name, known] : kLevels) {
    if (known == level) return name;
  }
  return "error";
}

}  // namespace

Status InitLog() {
  if (FLAGS_log_format != "logfmt" && FLAGS_log_format != "json") {
    return Error{ErrorCode::kInvalidArgument,
                 "'" + FLAGS_log_format + "' is neither logfmt nor json", "--log_format"};
  }
  json_lines = FLAGS_log_format == "json";
  for (const auto& [name, level] : kLevels) {
    if (FLAGS_log_level != name) continue;
    auto logger = std::make_shared<spdlog::logger>(
        "sidecar", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%v");
    logger->set_level(ToSpdlog(level));
    spdlog::set_default_logger(std::move(logger));
    return OkStatus();
  }
  return Error{ErrorCode::kInvalidArgument,
               "'" + FLAGS_log_level + "' is not debug, info, warn or error", "--log_level"};
}

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!spdlog::should_log(ToSpdlog(level))) return;
  LineBuilder line;
  line.Add("time", Timestamp());
  line.Add("level", LevelName(level));
  line.Add("msg", message);
  for (const auto& [key, value] : fields) line.Add(key, value);
  spdlog::log(ToSpdlog(level), "{}", std::move(line).Take());
}

void TroubleLog::Failed(const std::string& error) {
  repeats_ = error == last_ ? repeats_ + 1 : 0;
  last_ = error;
  if (repeats_ % kRepeatEvery == 0) {
    Log(LogLevel::kWarn, topic_ + " failed", {{"error", error}});
  }
}

void TroubleLog::Recovered() {
  if (!last_.empty()) Log(LogLevel::kInfo, topic_ + " works again");
  last_.clear();
  repeats_ = 0;
}

}  // namespace fss
