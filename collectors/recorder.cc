#include "collectors/recorder.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "collectors/anonymous_json.h"
#include "collectors/anonymous_metrics.h"
#include "collectors/bounded_file.h"
#include "collectors/pseudonyms.h"
#include "collectors/recorded_files.h"
#include "collectors/rest/flink_id.h"
#include "collectors/rest/job_plan_reader.h"
#include "collectors/series_json.h"
#include "collectors/series_reader.h"

namespace fss {
namespace {

constexpr const char* kJobFile = "/job.json";
constexpr const char* kPlanFile = "/plan.json";
constexpr const char* kJobPlanFile = "/job-plan.json";
constexpr const char* kConfigFile = "/checkpoints-config.json";
constexpr const char* kSeriesFile = "/series.jsonl";
// Flink's own history, which comes again after a restart, has 10 checkpoints by default. What is
// older than these is taken for known.
constexpr std::size_t kKnownCheckpoints = 200;
constexpr std::size_t kMaxJobFileBytes = 1U << 20U;

// The description that `folder` has of its job; absent where it has none.
std::optional<RecordedJob> JobOf(const std::string& folder) {
  constexpr int kOk = 200;
  auto content = ReadBoundedFile(folder + kJobFile, kMaxJobFileBytes, /*regular_only=*/true);
  if (!content.ok()) return std::nullopt;
  auto job = ReadRecordedJob({kOk, "application/json", std::move(content->bytes)});
  if (!job.ok()) return std::nullopt;
  return *std::move(job);
}

bool IsEmptyOrMissing(const std::string& folder) {
  std::error_code error;
  return std::filesystem::is_empty(folder, error) ||
         error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

// What is sure to be an id of Flink's.
CompletedCheckpoint WithoutOtherIds(CompletedCheckpoint checkpoint) {
  std::erase_if(checkpoint.vertices, [](const auto& vertex) { return !IsFlinkId(vertex.first); });
  return checkpoint;
}

}  // namespace

struct Recorder::Job {
  std::string folder;
  bool has_job_plan = false;
  bool has_config = false;
  RecordedJob described;     // what job.json says
  MetricNames metric_names;  // of an anonymous recording
  // The plan that plan.json was written from.
  std::string plan_file;
  std::uint64_t plan_generation = 0;

  // Checkpoints in the series, (id, trigger time): the last ones. Those before `known_from_ms`
  // are there too.
  std::set<std::pair<std::int64_t, std::int64_t>> known;
  std::int64_t known_from_ms = 0;
  std::int64_t last_savepoint_ms = 0;
  std::optional<std::int64_t> last_ms;  // trigger time of the newest; absent: no line yet

  bool IsNew(const CompletedCheckpoint& checkpoint) const {
    if (checkpoint.trigger_ms < known_from_ms) return false;
    if (checkpoint.savepoint && checkpoint.trigger_ms <= last_savepoint_ms) return false;
    return !known.contains({checkpoint.id, checkpoint.trigger_ms});
  }

  void Know(const CompletedCheckpoint& checkpoint) {
    if (checkpoint.savepoint) {
      last_savepoint_ms = std::max(last_savepoint_ms, checkpoint.trigger_ms);
    }
    last_ms = std::max(last_ms.value_or(checkpoint.trigger_ms), checkpoint.trigger_ms);
    known.emplace(checkpoint.id, checkpoint.trigger_ms);
    while (known.size() > kKnownCheckpoints) {
      known_from_ms = std::max(known_from_ms, known.begin()->second + 1);
      known.erase(known.begin());
    }
  }

  // Takes over what an earlier recorder wrote into the series.
  void KnowLines(const FileTail& tail) {
    std::string_view rest = tail.lines;
    std::optional<std::int64_t> earliest;
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size() - 1);
      const auto line = ReadSeriesLine(std::string(rest.substr(0, end)));
      rest.remove_prefix(end + 1);
      if (!line.ok()) continue;
      const std::int64_t at = line->checkpoint.trigger_ms;
      earliest = std::min(earliest.value_or(at), at);
      Know(line->checkpoint);
    }
    if (!tail.all) known_from_ms = std::max(known_from_ms, earliest.value_or(0));
  }
};

Recorder::Recorder(std::string dir, bool anonymize) : dir_(std::move(dir)), anonymize_(anonymize) {}
Recorder::~Recorder() = default;

Result<std::unique_ptr<Recorder>> Recorder::Open(const std::string& dir, bool anonymize) {
  const Status made = MakeFolder(dir);
  if (!made.ok()) return made.error();
  const Status writable = TryToWrite(dir);
  if (!writable.ok()) return writable.error();
  return std::unique_ptr<Recorder>(new Recorder(dir, anonymize));
}

bool Recorder::Note(const Status& status) {
  if (!status.ok() && trouble_now_.empty()) trouble_now_ = status.error().ToString();
  return status.ok();
}

std::string Recorder::TakeTrouble() {
  trouble_before_ = std::exchange(trouble_now_, {});
  return trouble_before_;
}

Recorder::Job* Recorder::Find(const std::string& id, std::int64_t start_ms) {
  const auto found = jobs_.find({id, start_ms});
  return found == jobs_.end() ? nullptr : &found->second;
}

// The folder of this start of the job: the one that says so, else one that is not there yet.
Result<std::string> Recorder::FolderFor(const JobSnapshot& job) const {
  const std::string first = dir_ + "/" + job.id + (anonymize_ ? "-anonymous" : "");
  for (const std::string& folder : {first, first + "-" + std::to_string(job.start_ms)}) {
    const auto described = JobOf(folder);
    const bool ours = described && described->start_ms == job.start_ms;
    if (ours || (!described && IsEmptyOrMissing(folder))) return folder;
  }
  return Error{ErrorCode::kIo, "holds something else", first};
}

// nullptr when there is trouble with its folder, or when the job is none of Flink's.
Recorder::Job* Recorder::Open(const JobSnapshot& job) {
  if (Job* known = Find(job.id, job.start_ms)) return known;
  if (!IsFlinkId(job.id)) return nullptr;
  const Result<std::string> folder = FolderFor(job);
  if (!folder.ok()) {
    Note(folder.error());
    return nullptr;
  }
  Job opened;
  opened.folder = *folder;
  opened.described = {job.id, job.name, job.start_ms, {}, job.state, {}};
  const std::string series = opened.folder + kSeriesFile;
  // Its description first: a folder without one is nobody's.
  const bool made =
      Note(MakeFolder(opened.folder)) &&
      Note(WriteWholeFile(opened.folder + kJobFile, DescriptionOf(opened.described))) &&
      Note(AppendLines(series, {}));
  if (!made) return nullptr;
  const auto tail = MendAndReadTail(series, kKnownCheckpoints / 4);
  if (!tail.ok()) {
    Note(tail.error());
    return nullptr;
  }
  opened.KnowLines(*tail);
  // Anonymous names are made anew by every recorder, so their files are, too.
  opened.has_job_plan = !anonymize_ && LookAt(opened.folder + kJobPlanFile).ok();
  opened.has_config = !anonymize_ && LookAt(opened.folder + kConfigFile).ok();
  return &jobs_.emplace(Key{job.id, job.start_ms}, std::move(opened)).first->second;
}

std::string Recorder::DescriptionOf(const RecordedJob& job) const {
  return anonymize_ ? AnonymousRecordedJobJson(job) : RecordedJobJson(job);
}

bool Recorder::WantsJobPlan(const JobSnapshot& job) const {
  const auto known = jobs_.find({job.id, job.start_ms});
  return !anonymize_ && trouble_before_.empty() &&
         (known == jobs_.end() || !known->second.has_job_plan);
}

bool Recorder::WantsCheckpointConfig(const JobSnapshot& job) const {
  const auto known = jobs_.find({job.id, job.start_ms});
  return !anonymize_ && trouble_before_.empty() &&
         (known == jobs_.end() || !known->second.has_config);
}

void Recorder::TakeJobPlan(const JobSnapshot& job, const std::string& body) {
  Job* known = Open(job);
  if (known == nullptr || known->has_job_plan) return;
  known->has_job_plan = Note(WriteWholeFile(known->folder + kJobPlanFile, body));
}

void Recorder::TakeCheckpointConfig(const JobSnapshot& job, const std::string& body) {
  Job* known = Open(job);
  if (known == nullptr || known->has_config) return;
  known->has_config = Note(WriteWholeFile(known->folder + kConfigFile, body));
}

void Recorder::Record(const ClusterSnapshot& snapshot) {
  // After trouble there may be nothing to write that would tell whether it has ended.
  if (!trouble_before_.empty()) Note(TryToWrite(dir_));
  std::set<Key> seen;
  for (const JobSnapshot& job : snapshot.jobs) {
    seen.insert({job.id, job.start_ms});
    if (job.Terminal()) {
      RecordEnd(job, snapshot.taken_ms);
    } else {
      RecordRunning(job, snapshot);
    }
  }
  std::erase_if(jobs_, [&seen](const auto& known) { return !seen.contains(known.first); });
}

void Recorder::RecordRunning(const JobSnapshot& job, const ClusterSnapshot& snapshot) {
  Job* known = Open(job);
  if (known == nullptr) return;
  if (!Describe(job, snapshot, known)) {
    // Its folder was taken away: it begins anew with the next poll.
    if (!LookAt(known->folder).ok()) jobs_.erase({job.id, job.start_ms});
    return;
  }
  if (anonymize_) RecordAnonymousGraph(job, known);
  Append(job, snapshot.taken_ms, known);
}

void Recorder::RecordAnonymousGraph(const JobSnapshot& job, Job* known) {
  if (!known->has_job_plan && !job.graph.vertices.empty()) {
    constexpr int kOk = 200;
    Pseudonyms names;
    std::string json = AnonymousJobPlanJson(job.id, job.graph, &names);
    known->has_job_plan = Note(WriteWholeFile(known->folder + kJobPlanFile, json));
    const auto anonymous = ReadJobPlan({kOk, "application/json", std::move(json)});
    if (anonymous.ok()) known->metric_names = MetricNamesOf(job.graph, *anonymous);
  }
  if (!known->has_config && job.config && !job.config->state_backend.empty()) {
    known->has_config =
        Note(WriteWholeFile(known->folder + kConfigFile, AnonymousConfigJson(*job.config)));
  }
}

void Recorder::RecordEnd(const JobSnapshot& job, std::int64_t now_ms) {
  Job* known = Find(job.id, job.start_ms);
  if (known == nullptr) return;
  known->described.state = job.state;
  known->described.ended_ms = now_ms;
  const std::string file = known->folder + kJobFile;
  if (Note(WriteWholeFile(file, DescriptionOf(known->described)))) {
    jobs_.erase({job.id, job.start_ms});
  }
}

// job.json, when it changes. The folder of a job that is not described is not gone on with.
bool Recorder::Describe(const JobSnapshot& job, const ClusterSnapshot& snapshot, Job* known) {
  if (!LookAt(known->folder + kJobFile).ok()) {
    return Note(Error{ErrorCode::kNotFound, "was taken away", known->folder + kJobFile});
  }
  const bool same = known->described.state == job.state &&
                    known->described.flink_version == snapshot.flink_version;
  if (same) return true;
  RecordedJob now = known->described;
  now.state = job.state;
  now.flink_version = snapshot.flink_version;
  if (!Note(WriteWholeFile(known->folder + kJobFile, DescriptionOf(now)))) return false;
  known->described = std::move(now);
  return true;
}

// What the poll learnt, oldest first. RocksDB's figures stand in the last line: they were known
// when the poll was judged.
void Recorder::Append(const JobSnapshot& job, std::int64_t polled_ms, Job* known) {
  std::vector<const CompletedCheckpoint*> fresh;
  for (const CompletedCheckpoint& checkpoint : job.fresh) {
    if (known->IsNew(checkpoint)) fresh.push_back(&checkpoint);
  }
  for (const CompletedCheckpoint& row : job.history) {
    if (row.savepoint && known->IsNew(row)) fresh.push_back(&row);
  }
  if (fresh.empty()) return;
  std::ranges::stable_sort(fresh, {}, [](const auto* row) { return row->trigger_ms; });

  const bool with_state = job.latest_restored || (job.counts && job.counts->restored > 0);
  std::map<std::string, LiveSample> anonymous_live;
  if (anonymize_) anonymous_live = AnonymousLive(job.live, known->metric_names);
  std::string lines;
  for (const CompletedCheckpoint* checkpoint : fresh) {
    SeriesExtras extras;
    extras.polled_ms = polled_ms;
    if (lines.empty()) {
      extras.restored =
          known->last_ms ? job.latest_restored && job.latest_restored->restored_ms > *known->last_ms
                         : with_state;
      if (extras.restored || !known->last_ms) extras.start_ms = job.start_ms;
    }
    if (checkpoint == fresh.back()) extras.live = anonymize_ ? &anonymous_live : &job.live;
    lines += SeriesLineJson(anonymize_ ? WithoutOtherIds(*checkpoint) : *checkpoint, extras);
  }
  if (!Note(AppendLines(known->folder + kSeriesFile, lines))) return;
  for (const CompletedCheckpoint* checkpoint : fresh) known->Know(*checkpoint);
}

void Recorder::RecordPlan(const JobSnapshot& job, const CompiledPlan& plan,
                          std::uint64_t library_generation, const PlanBytes& bytes) {
  Job* known = Find(job.id, job.start_ms);
  if (known == nullptr) return;
  const bool same = known->plan_file == plan.file && known->plan_generation == library_generation;
  if (same) return;
  std::string content;
  if (anonymize_) {
    Pseudonyms names;
    AnonymousJobPlanJson(job.id, job.graph, &names);  // a name is called in both as in the graph
    content = AnonymousPlanJson(plan, &names);
  } else {
    Result<std::string> plain = bytes(plan.file);
    // Edited since it was read: the next poll has the new one.
    if (!plain.ok()) return;
    content = *std::move(plain);
  }
  if (!Note(WriteWholeFile(known->folder + kPlanFile, content))) return;
  known->plan_file = plan.file;
  known->plan_generation = library_generation;
}

}  // namespace fss
