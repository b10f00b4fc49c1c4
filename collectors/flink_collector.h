// The Flink collector: one poll of a JobManager becomes a ClusterSnapshot.
//
// Frugal: per poll one /jobs/overview, one /jobs/:id/checkpoints per running job, details once
// per checkpoint, a job's plan and configuration once per job start, the version once per
// connection. What else is asked, and how seldom, is told in checkpoint_watch.h, live_sizes.h,
// subtask_watch.h and task_manager_watch.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collectors/answer_tap.h"
#include "collectors/question.h"
#include "collectors/rest_client.h"
#include "collectors/task_manager_watch.h"
#include "sidecar/base/clock.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Not thread safe: the poll loop owns it.
class FlinkCollector {
 public:
  // `clients` are standbys of one cluster, tried in order from the last that answered. Not empty.
  // `tap`, which outlives the collector, keeps answers as they came; nullptr: nobody does.
  FlinkCollector(std::string cluster, std::vector<std::unique_ptr<RestClient>> clients,
                 const Clock& clock, AnswerTap* tap = nullptr);
  ~FlinkCollector();

  // An Error only when no client gave a job list: "unreachable" is never "no jobs". What a single
  // job's answers lacked is in JobSnapshot::problems, and its last known plan and sizes stand.
  Result<ClusterSnapshot> Poll();

  // The same without a copy, which with 500 jobs is 8 MB: the collector's own snapshot, valid
  // until the next poll.
  Result<const ClusterSnapshot*> PollInPlace();

 private:
  struct JobMemory;
  struct Job;

  Result<std::vector<JobSnapshot>> AskOverview();
  bool Remember(std::vector<JobSnapshot> jobs);
  void AskAboutJobs(bool restarted);
  void AskForConfig(const Job& job, std::vector<Question>* questions);
  void AskForPlan(const Job& job, std::vector<Question>* questions);
  void AskDetails();
  void AskSizes();
  void TakeTurns(
      std::size_t budget, std::size_t* next,
      const std::function<std::vector<Question>(std::size_t job, std::size_t limit)>& ask,
      std::vector<Question>* questions);
  void TakeVersion(Result<RestAnswer> answer);

  std::vector<std::unique_ptr<RestClient>> clients_;
  const Clock& clock_;
  AnswerTap* const tap_;
  std::size_t current_ = 0;     // the client that answered last
  bool version_wanted_ = true;  // not asked yet on this connection, or a restart is likely
  // The jobs whose turn is first in the next poll.
  std::size_t next_history_ = 0;
  std::size_t next_live_ = 0;
  std::size_t next_subtasks_ = 0;
  TaskManagerWatch task_managers_;
  ClusterSnapshot snapshot_;
  std::vector<JobMemory> memory_;  // of snapshot_.jobs, in the same order
};

}  // namespace fss
