#include "collectors/task_manager_watch.h"

#include <algorithm>
#include <utility>

#include "collectors/rest/task_manager_reader.h"
#include "collectors/rest/task_managers_reader.h"
#include "sidecar/base/percent.h"

namespace fss {
namespace {

constexpr std::size_t kMaxDetails = 50;

bool KeepsStateOnHeap(const JobSnapshot& job) {
  return !job.Terminal() && job.config && job.config->state_backend == "HashMapStateBackend";
}

}  // namespace

std::optional<Question> TaskManagerWatch::AskList(std::vector<JobSnapshot>* jobs) {
  listed_.clear();
  if (!std::any_of(jobs->begin(), jobs->end(), KeepsStateOnHeap)) {
    known_.clear();
    return std::nullopt;
  }
  return Question{"/taskmanagers", [this, jobs](Result<RestAnswer> answer) {
                    TakeList(ReadIfOk(std::move(answer), ReadTaskManagerIds), jobs);
                  }};
}

void TaskManagerWatch::TakeList(Result<std::vector<std::string>> ids,
                                std::vector<JobSnapshot>* jobs) {
  if (!ids.ok()) {
    for (JobSnapshot& job : *jobs) {
      if (KeepsStateOnHeap(job)) job.problems.push_back(ProblemLine("TaskManagers", ids.error()));
    }
    return;  // the last known numbers stand
  }
  listed_ = std::move(*ids);
  std::erase_if(known_, [this](const auto& entry) {
    return !std::binary_search(listed_.begin(), listed_.end(), entry.first);
  });
}

std::vector<Question> TaskManagerWatch::AskEach(std::int64_t taken_ms) {
  std::vector<Question> questions;
  const auto next = std::upper_bound(listed_.begin(), listed_.end(), last_asked_);
  const std::size_t first = static_cast<std::size_t>(next - listed_.begin());
  for (std::size_t i = 0; i < std::min(listed_.size(), kMaxDetails); ++i) {
    last_asked_ = listed_[(first + i) % listed_.size()];
    questions.push_back({"/taskmanagers/" + PercentEncoded(last_asked_),
                         [this, id = last_asked_, taken_ms](Result<RestAnswer> answer) {
                           auto read = ReadIfOk(std::move(answer), [&id](RestAnswer body) {
                             return ReadTaskManager(std::move(body), id);
                           });
                           // One that has just gone answers 500: it leaves with the next list.
                           if (!read.ok()) return;
                           read->taken_ms = taken_ms;
                           known_[id] = std::move(*read);
                         }});
  }
  return questions;
}

std::vector<TaskManagerSnapshot> TaskManagerWatch::Known() const {
  std::vector<TaskManagerSnapshot> known;
  known.reserve(known_.size());
  for (const auto& [id, task_manager] : known_) known.push_back(task_manager);
  return known;
}

}  // namespace fss
