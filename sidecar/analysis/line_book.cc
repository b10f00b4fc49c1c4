#include "sidecar/analysis/line_book.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace fss {
namespace {

// A job that is redeployed all day long: older runs say nothing that is still asked.
constexpr std::size_t kMaxRuns = 64;

// Whether the run began from a checkpoint or savepoint. Absent while the JobManager has not said: a
// job that is still being set up has counts of zero, or none.
std::optional<bool> BeganWithState(const JobSnapshot& job) {
  if (job.latest_restored || (job.counts && job.counts->restored > 0)) return true;
  if (job.counts && job.state == "RUNNING") return false;
  return std::nullopt;
}

// Whose checkpoint or savepoint a job was restored from, as far as the path tells:
// "…/savepoint-1a2b3c-4d5e6f7a8b9c" has the beginning of a job id, "…/<job id>/chk-17" all of it.
class Origin {
 public:
  explicit Origin(const JobSnapshot& job) {
    if (!job.latest_restored) return;
    std::string_view path = job.latest_restored->external_path;
    while (!path.empty()) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      Look(path.substr(0, slash));
      path.remove_prefix(std::min(slash + 1, path.size()));
    }
  }

  bool Is(const LineRecord& record) const {
    if (id_.empty() && beginning_.empty()) return false;
    return std::ranges::any_of(record.runs, [this](const RunRecord& run) {
      return (!id_.empty() && run.job_id == id_) ||
             (!beginning_.empty() && run.job_id.starts_with(beginning_));
    });
  }

 private:
  void Look(std::string_view segment) {
    constexpr std::size_t kId = 32;
    constexpr std::size_t kBeginning = 6;
    constexpr std::string_view kSavepoint = "savepoint-";
    constexpr std::string_view kHex = "0123456789abcdef";
    const bool savepoint = segment.starts_with(kSavepoint);
    if (savepoint) segment = segment.substr(kSavepoint.size(), kBeginning);
    if (segment.size() != (savepoint ? kBeginning : kId)) return;
    // Every job of an application cluster may have the id of zeros: it tells nothing.
    if (segment.find_first_not_of(kHex) != std::string_view::npos ||
        segment.find_first_not_of('0') == std::string_view::npos) {
      return;
    }
    (savepoint ? beginning_ : id_) = segment;
  }

  std::string_view id_;
  std::string_view beginning_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> LineBook::Learn(
    const std::vector<LineRecord>& records) {
  std::vector<std::pair<std::string, std::string>> renamed;
  for (const LineRecord& stored : records) {
    if (stored.runs.empty()) continue;
    LineRecord record = stored;
    for (const RunRecord& run : stored.runs) {
      const auto known = by_run_.find({run.job_id, run.start_ms});
      if (known == by_run_.end()) continue;
      const auto here = records_.find(known->second);
      if (here == records_.end()) continue;
      if (here->first != stored.key) renamed.emplace_back(here->first, stored.key);
      for (const RunRecord& later : here->second.runs) {
        if (std::ranges::find(record.runs, later) == record.runs.end())
          record.runs.push_back(later);
      }
      record.last_ms = std::max(record.last_ms, here->second.last_ms);
      records_.erase(here);
    }
    std::ranges::stable_sort(record.runs, {}, &RunRecord::start_ms);
    for (const RunRecord& run : record.runs) by_run_[{run.job_id, run.start_ms}] = record.key;
    records_[record.key] = std::move(record);
  }
  return renamed;
}

std::vector<LineBook::Place> LineBook::Assign(const ClusterSnapshot& snapshot) {
  std::vector<Place> places(snapshot.jobs.size());
  claimed_.clear();
  // Known runs first: a line that is running on is nobody's predecessor.
  for (std::size_t j = 0; j < places.size(); ++j) {
    const JobSnapshot& job = snapshot.jobs[j];
    if (job.Terminal()) continue;
    const auto known = by_run_.find({job.id, job.start_ms});
    if (known == by_run_.end()) continue;
    places[j].key = known->second;
    claimed_.insert(known->second);
    records_.at(known->second).last_ms = snapshot.taken_ms;
  }
  for (std::size_t j = 0; j < places.size(); ++j) {
    const JobSnapshot& job = snapshot.jobs[j];
    if (job.Terminal() || !places[j].key.empty()) continue;
    const std::optional<bool> with_state = BeganWithState(job);
    if (!with_state) continue;
    Place& place = places[j];
    place.began = true;
    if (const LineRecord* before = Predecessor(job)) {
      place.key = before->key;
      place.anew = !*with_state;
    } else {
      place.key = job.id + "@" + std::to_string(job.start_ms);
    }
    LineRecord& record = records_[place.key];
    record.key = place.key;
    AddRun(&record, job, *with_state);
    record.last_ms = snapshot.taken_ms;
    claimed_.insert(place.key);
  }
  return places;
}

void LineBook::AddRun(LineRecord* record, const JobSnapshot& job, bool with_state) {
  record->job_name = job.name;
  record->runs.push_back({job.id, job.start_ms, with_state});
  if (record->runs.size() > kMaxRuns) {
    by_run_.erase({record->runs.front().job_id, record->runs.front().start_ms});
    record->runs.erase(record->runs.begin());
  }
  by_run_[{job.id, job.start_ms}] = record->key;
}

const LineRecord* LineBook::Predecessor(const JobSnapshot& job) const {
  const Origin origin(job);
  const LineRecord* best = nullptr;
  std::tuple<int, std::int64_t> best_rank{0, 0};
  for (const auto& [key, record] : records_) {
    if (claimed_.contains(key) || record.runs.back().start_ms >= job.start_ms) continue;
    const bool named_alike = record.job_name == job.name;
    const bool same_id = record.runs.back().job_id == job.id;
    int proof = 0;
    if (origin.Is(record)) {
      proof = 3;
    } else if (same_id && named_alike) {
      proof = 2;
    } else if (named_alike) {
      proof = 1;
    }
    const std::tuple<int, std::int64_t> rank{proof, record.last_ms};
    if (proof > 0 && (best == nullptr || rank > best_rank)) {
      best = &record;
      best_rank = rank;
    }
  }
  return best;
}

std::int64_t LineBook::RunStartAt(const LineRecord& record, std::int64_t t_ms) {
  std::int64_t start = record.runs.front().start_ms;
  for (const RunRecord& run : record.runs) {
    if (run.start_ms <= t_ms) start = run.start_ms;
  }
  return start;
}

void LineBook::Forget(const std::string& key) {
  const auto found = records_.find(key);
  if (found == records_.end()) return;
  for (const RunRecord& run : found->second.runs) by_run_.erase({run.job_id, run.start_ms});
  records_.erase(found);
}

std::vector<std::string> LineBook::Idle() const {
  std::vector<const LineRecord*> idle;
  for (const auto& [key, record] : records_) {
    if (!claimed_.contains(key)) idle.push_back(&record);
  }
  std::ranges::stable_sort(idle, {}, &LineRecord::last_ms);
  std::vector<std::string> keys;
  keys.reserve(idle.size());
  for (const LineRecord* record : idle) keys.push_back(record->key);
  return keys;
}

}  // namespace fss
