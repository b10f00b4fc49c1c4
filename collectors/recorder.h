// Records jobs for bug reports and tests (--record_dir): per job a folder that `replay` reads.
//
// A folder is called as its job's id, and where the id comes back with another start time,
// "<id>-<start time>". It holds job.json, Flink's own answers job-plan.json and
// checkpoints-config.json, plan.json once a compiled plan is matched, and series.jsonl with a line
// per completed checkpoint. Each answer is written once as it passes and not kept: what a job costs
// in memory is a few names and the ids of its last checkpoints.
//
// Without names (--anonymize) the folder is called "<id>-anonymous", so that it never holds both,
// and every file is written as anonymous_json.h says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "collectors/answer_tap.h"
#include "collectors/recorded_job_reader.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

// Not thread safe: the poll loop owns it.
class Recorder final : public AnswerTap {
 public:
  // Makes `dir` where it is not there. kIo when it is no folder, cannot be made or written to.
  static Result<std::unique_ptr<Recorder>> Open(const std::string& dir, bool anonymize);
  ~Recorder() override;

  // After each poll that was answered, before RecordPlan. Trouble is no error: the rest is written
  // all the same, and trouble() says what could not be.
  void Record(const ClusterSnapshot& snapshot);

  // The plan that a job of the last Record is matched to. `library_generation` tells
  // whether it may have changed since the last call; only then `bytes` is asked for the file.
  using PlanBytes = std::function<Result<std::string>(const std::string& file)>;
  void RecordPlan(const JobSnapshot& job, const CompiledPlan& plan,
                  std::uint64_t library_generation, const PlanBytes& bytes);

  // After both: one line about what could not be written in this poll; empty: all was.
  std::string TakeTrouble();

  // AnswerTap. While there is trouble nothing is wanted: a full disk must not make Flink answer
  // the same again and again.
  bool WantsJobPlan(const JobSnapshot& job) const override;
  bool WantsCheckpointConfig(const JobSnapshot& job) const override;
  void TakeJobPlan(const JobSnapshot& job, const std::string& body) override;
  void TakeCheckpointConfig(const JobSnapshot& job, const std::string& body) override;

 private:
  struct Job;
  using Key = std::pair<std::string, std::int64_t>;  // job id, start time

  Recorder(std::string dir, bool anonymize);

  Job* Find(const std::string& id, std::int64_t start_ms);
  Job* Open(const JobSnapshot& job);
  Result<std::string> FolderFor(const JobSnapshot& job) const;
  void RecordRunning(const JobSnapshot& job, const ClusterSnapshot& snapshot);
  void RecordEnd(const JobSnapshot& job, std::int64_t now_ms);
  bool Describe(const JobSnapshot& job, const ClusterSnapshot& snapshot, Job* known);
  void RecordAnonymousGraph(const JobSnapshot& job, Job* known);
  std::string DescriptionOf(const RecordedJob& job) const;
  void Append(const JobSnapshot& job, std::int64_t polled_ms, Job* known);
  bool Note(const Status& status);

  const std::string dir_;
  const bool anonymize_;
  std::map<Key, Job> jobs_;
  std::string trouble_now_;     // of the poll under way
  std::string trouble_before_;  // of the one before
};

}  // namespace fss
