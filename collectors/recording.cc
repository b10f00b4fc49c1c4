#include "collectors/recording.h"

#include <istream>
#include <utility>

#include "collectors/bounded_file.h"
#include "collectors/plan_reader.h"
#include "collectors/recorded_job_reader.h"
#include "collectors/rest/checkpoint_config_reader.h"
#include "collectors/rest/job_plan_reader.h"

namespace fss {
namespace {

constexpr std::size_t kMaxAnswerBytes = 32U << 20U;
// A job of 2,000 vertices with RocksDB's figures has a line of 2 MB.
constexpr std::size_t kMaxLineBytes = 16U << 20U;

Error InFile(Error error, const std::string& file) {
  error.context = file;
  return error;
}

// A recorded REST answer.
Result<RestAnswer> ReadAnswer(const std::string& file) {
  constexpr int kOk = 200;
  auto content = ReadBoundedFile(file, kMaxAnswerBytes, /*regular_only=*/true);
  if (!content.ok()) return InFile(content.error(), file);
  return RestAnswer{kOk, "application/json", std::move(content->bytes)};
}

// Reads up to the end of the line, at most `limit` bytes of it into `line`. False at the end.
// `whole`: its line break was there.
bool GetBoundedLine(std::istream* in, std::size_t limit, std::string* line, bool* too_long,
                    bool* whole) {
  line->clear();
  *too_long = false;
  int c = in->get();
  if (c == std::istream::traits_type::eof()) return false;
  for (; c != std::istream::traits_type::eof() && c != '\n'; c = in->get()) {
    if (line->size() < limit) {
      line->push_back(static_cast<char>(c));
    } else {
      *too_long = true;
    }
  }
  *whole = c == '\n';
  return true;
}

}  // namespace

Result<Recording> Recording::Open(const std::string& dir) {
  Recording recording;
  const std::string plan_file = dir + "/plan.json";
  if (LookAt(plan_file).ok()) {
    auto plan = ReadPlanFile(plan_file, plan_file);
    if (!plan.ok()) return InFile(plan.error(), plan_file);
    recording.plan_ = *std::move(plan);
  }
  const std::string graph_file = dir + "/job-plan.json";
  auto graph_answer = ReadAnswer(graph_file);
  if (!graph_answer.ok()) return graph_answer.error();
  auto graph = ReadJobPlan(*std::move(graph_answer));
  if (!graph.ok()) return InFile(graph.error(), graph_file);
  recording.job_.graph = *std::move(graph);

  const std::string job_file = dir + "/job.json";
  if (LookAt(job_file).ok()) {
    auto answer = ReadAnswer(job_file);
    if (!answer.ok()) return answer.error();
    const auto job = ReadRecordedJob(*std::move(answer));
    if (!job.ok()) return InFile(job.error(), job_file);
    recording.job_.name = job->name;
    recording.flink_version_ = job->flink_version;
  }

  const std::string config_file = dir + "/checkpoints-config.json";
  auto config_answer = ReadAnswer(config_file);
  if (!config_answer.ok()) return config_answer.error();
  auto config = ReadCheckpointConfig(*std::move(config_answer));
  if (!config.ok()) return InFile(config.error(), config_file);
  recording.job_.config = *std::move(config);

  recording.series_file_ = dir + "/series.jsonl";
  const auto series = LookAt(recording.series_file_);
  if (!series.ok()) return InFile(series.error(), recording.series_file_);
  // Opening a pipe would wait for somebody who writes.
  if (series->type == FileType::kRegular) recording.series_.open(recording.series_file_);
  if (!recording.series_.is_open()) {
    return Error{ErrorCode::kIo, "cannot be read", recording.series_file_};
  }
  return recording;
}

Result<std::optional<SeriesLine>> Recording::Next() {
  std::string text;
  bool too_long = false;
  bool whole = false;
  while (GetBoundedLine(&series_, kMaxLineBytes, &text, &too_long, &whole)) {
    ++line_;
    const std::string where = series_file_ + ":" + std::to_string(line_);
    if (too_long) return Error{ErrorCode::kTooLarge, "an absurdly long line", where};
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto line = ReadSeriesLine(std::move(text));
    if (!line.ok() && !whole) break;
    if (!line.ok()) return InFile(line.error(), where);
    return std::optional<SeriesLine>(*std::move(line));
  }
  return std::optional<SeriesLine>();
}

}  // namespace fss
