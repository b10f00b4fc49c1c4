#include "collectors/checkpoint_watch.h"

#include <algorithm>
#include <tuple>

#include "collectors/rest/checkpoint_details_reader.h"

namespace fss {
namespace {

std::string Name(const CompletedCheckpoint& row) { return "checkpoint " + std::to_string(row.id); }

// Whether asking again would only bring the same.
bool IsFinal(const Error& error) {
  return SaysAnotherCheckpoint(error) || error.code == ErrorCode::kTooLarge;
}

}  // namespace

void CheckpointWatch::BeginPoll() {
  newest_.reset();
  older_.clear();
}

void CheckpointWatch::TakeCheckpoints(CheckpointsAnswer answer, JobSnapshot* job) {
  std::map<Key, std::string> settled;
  const auto keep_settled = [&](const CompletedCheckpoint& row) {
    const auto known = settled_.find(KeyOf(row));
    if (known != settled_.end()) settled.insert(*known);
    return known != settled_.end();
  };
  newest_ = answer.latest;
  if (newest_) keep_settled(*newest_);
  for (const CompletedCheckpoint& row : answer.history) {
    if (row.savepoint || (newest_ && KeyOf(row) == KeyOf(*newest_))) continue;
    if (!keep_settled(row)) older_.push_back(row);
  }
  settled_ = std::move(settled);

  job->counts = answer.counts;
  job->latest_failed = std::move(answer.latest_failed);
  job->latest_restored = std::move(answer.latest_restored);
  job->history = std::move(answer.history);
  job->failed_since_completed = answer.failed_since_completed;

  if (!newest_) latest_complete_ = false;
  if (!latest_complete_) job->latest = newest_;
}

std::optional<Question> CheckpointWatch::AskNewest(JobSnapshot* job) {
  if (!newest_) return std::nullopt;
  const auto settled = settled_.find(KeyOf(*newest_));
  const bool refused = settled != settled_.end() && !settled->second.empty();
  if (refused) {
    job->problems.push_back(settled->second);
    return std::nullopt;
  }
  const bool shown = latest_complete_ && job->latest && KeyOf(*job->latest) == KeyOf(*newest_);
  if (shown) return std::nullopt;
  return QuestionFor(*newest_, job);
}

std::vector<Question> CheckpointWatch::AskOlder(JobSnapshot* job, std::size_t limit) {
  std::vector<Question> questions;
  for (const CompletedCheckpoint& row : older_) {
    if (questions.size() == limit) break;
    questions.push_back(QuestionFor(row, job));
  }
  return questions;
}

Question CheckpointWatch::QuestionFor(const CompletedCheckpoint& row, JobSnapshot* job) {
  return {"/jobs/" + job->id + "/checkpoints/details/" + std::to_string(row.id),
          [this, row, job](Result<RestAnswer> answer) {
            TakeDetails(row,
                        ReadIfOk(std::move(answer),
                                 [&row](RestAnswer body) {
                                   return ReadCheckpointDetails(std::move(body), row);
                                 }),
                        job);
          }};
}

void CheckpointWatch::TakeDetails(const CompletedCheckpoint& row,
                                  Result<CompletedCheckpoint> details, JobSnapshot* job) {
  if (!details.ok()) {
    job->problems.push_back(ProblemLine(Name(row), details.error()));
    if (IsFinal(details.error())) settled_.emplace(KeyOf(row), job->problems.back());
    return;
  }
  const bool first_time = settled_.emplace(KeyOf(row), "").second;
  if (KeyOf(row) == KeyOf(*newest_)) {
    job->latest = *details;
    latest_complete_ = true;
  }
  if (!first_time) return;
  const auto place =
      std::upper_bound(job->fresh.begin(), job->fresh.end(), *details,
                       [](const CompletedCheckpoint& a, const CompletedCheckpoint& b) {
                         return std::tie(a.id, a.trigger_ms) < std::tie(b.id, b.trigger_ms);
                       });
  job->fresh.insert(place, std::move(*details));
}

}  // namespace fss
