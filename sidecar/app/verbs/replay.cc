// replay: the analysis over a recorded series, for bug reports and tests.
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "collectors/recording.h"
#include "exporters/json/replay_json.h"
#include "exporters/text/report_text.h"
#include "sidecar/analysis/correlator.h"
#include "sidecar/analysis/evaluator.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/terminal.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

// Every line of the recording is a poll that found one more checkpoint; lines that say which poll
// they were learnt in are judged together with the others of that poll, as they were then.
class Replayer {
 public:
  Replayer(Recording recording, const std::string& name)
      : recording_(std::move(recording)), evaluator_(Options()) {
    snapshot_.cluster = FLAGS_cluster;
    JobSnapshot& job = snapshot_.jobs.emplace_back(recording_.job());
    job.id = "replay";
    if (job.name.empty()) job.name = name;
    job.state = "RUNNING";
    job.counts = CheckpointCounts{};
    snapshot_.flink_version = recording_.flink_version();
    if (recording_.plan()) {
      if (snapshot_.flink_version.empty()) {
        snapshot_.flink_version = recording_.plan()->flink_version;
      }
      library_.plans.push_back(*recording_.plan());
    }
    library_.generation = 1;
    if (FLAGS_limit_bytes > 0) {
      JobRule& rule = surroundings_.rules.jobs.emplace_back();
      rule.state_limit_bytes = FLAGS_limit_bytes;
    }
  }

  // Reads the next lines and judges; false at the end. An error is that of one line.
  Result<bool> Step() {
    if (failed_) return *std::exchange(failed_, std::nullopt);
    if (!next_) Read();
    if (failed_) return *std::exchange(failed_, std::nullopt);
    if (!next_) return false;
    const auto polled_ms = next_->polled_ms;
    BeginPoll();
    do {
      Take(*std::exchange(next_, std::nullopt));
      Read();
    } while (next_ && polled_ms && next_->polled_ms == polled_ms);
    if (polled_ms) snapshot_.taken_ms = *polled_ms;
    report_ = evaluator_.Evaluate(snapshot_, library_, surroundings_);
    report_->health.up = true;  // nobody was asked, and nothing is missing
    for (const OperatorReport& op : report_->jobs[0].operators) {
      if (op.trend.verdict == Verdict::kGrowing) {
        first_growing_.try_emplace(op.vertex_id, report_->taken_ms);
      }
    }
    return true;
  }

  const Report& report() const { return *report_; }
  const FirstGrowing& first_growing() const { return first_growing_; }

 private:
  static EvaluatorOptions Options() {
    EvaluatorOptions options;
    options.uid_formats = DefaultUidFormats();
    if (!FLAGS_uid_format.empty()) {
      options.uid_formats.insert(options.uid_formats.begin(), FLAGS_uid_format);
    }
    return options;
  }

  // The next line into next_; what is wrong with it into failed_.
  void Read() {
    auto line = recording_.Next();
    if (line.ok()) {
      next_ = *std::move(line);
    } else {
      failed_ = line.error();
    }
  }

  void BeginPoll() {
    JobSnapshot& job = snapshot_.jobs[0];
    job.fresh.clear();
    job.history.clear();
    job.live.clear();
  }

  void Take(SeriesLine line) {
    JobSnapshot& job = snapshot_.jobs[0];
    CompletedCheckpoint& checkpoint = line.checkpoint;
    snapshot_.taken_ms = checkpoint.trigger_ms;
    job.jobmanager_now_ms = checkpoint.trigger_ms;
    if (line.restored || job.start_ms == 0) {
      job.start_ms = line.start_ms.value_or(checkpoint.trigger_ms);
      if (line.restored) {
        job.counts->restored = 1;
        job.latest_restored = RestoredCheckpoint{0, job.start_ms, false, {}};
      }
    }
    ++job.counts->completed;
    if (!line.live.empty()) job.live = std::move(line.live);
    if (checkpoint.savepoint) {
      job.history.push_back(std::move(checkpoint));
      return;
    }
    job.latest = checkpoint;
    job.fresh.push_back(std::move(checkpoint));
  }

  Recording recording_;
  std::optional<SeriesLine> next_;  // read, not yet judged
  std::optional<Error> failed_;     // of the line after that
  Evaluator evaluator_;
  ClusterSnapshot snapshot_;
  PlanLibrary library_;
  Surroundings surroundings_;
  std::shared_ptr<Report> report_ = std::make_shared<Report>();
  FirstGrowing first_growing_;
};

void Print(const Replayer& replayer, OutputFormat format) {
  const Report& report = replayer.report();
  if (format == OutputFormat::kJson) {
    const std::optional<std::int64_t> t_ms =
        FLAGS_every ? std::optional(report.taken_ms) : std::nullopt;
    std::cout << ReplayJson(report, replayer.first_growing(), t_ms) << "\n";
  } else {
    std::cout << ReportText(report, TerminalOptions());
  }
}

// The folder's own name, as the job's.
std::string NameOf(std::string dir) {
  while (dir.size() > 1 && dir.ends_with('/')) dir.pop_back();
  return dir.substr(dir.rfind('/') + 1);
}

int RunReplay(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) return UsageError("replay takes one folder");
  const auto format = FormatFlag();
  if (!format.ok()) return UsageError(format.error().ToString());
  const auto fail_on = FailOnFlag();
  if (!fail_on.ok()) return UsageError(fail_on.error().ToString());
  if (FLAGS_limit_bytes < 0) return UsageError("--limit_bytes: must be 0 or more");
  auto recording = Recording::Open(arguments[0]);
  if (!recording.ok()) return UsageError(recording.error().ToString());

  Replayer replayer(*std::move(recording), NameOf(arguments[0]));
  std::size_t lines = 0;
  int exit_code = kExitClean;
  while (true) {
    const auto more = replayer.Step();
    if (!more.ok()) {
      // One broken line: the rest is judged all the same.
      exit_code = UsageError(more.error().ToString());
      continue;
    }
    if (!*more) break;
    ++lines;
    if (FLAGS_every) Print(replayer, *format);
  }
  if (lines == 0) {
    return exit_code != kExitClean
               ? exit_code
               : UsageError(arguments[0] + "/series.jsonl: no checkpoint in it");
  }
  if (!FLAGS_every) Print(replayer, *format);
  std::cout.flush();
  if (exit_code != kExitClean) return exit_code;
  return FindingsExitCode(replayer.report().findings, *fail_on);
}

constexpr auto kReplayFlags =
    std::to_array<std::string_view>({"format", "limit_bytes", "every", "fail_on", "cluster",
                                     "uid_format", "log_format", "log_level"});

}  // namespace

const Verb kReplayVerb = {"replay", "DIR [flags]",
                          "Judges a recorded series of checkpoints as serve would have.",
                          kReplayFlags, RunReplay};

}  // namespace fss
