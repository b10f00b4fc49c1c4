#include "sidecar/analysis/state_history.h"

#include <utility>

namespace fss {
namespace {

// Lines of jobs that are gone, kept for their return. Without a store only memory has them.
constexpr std::size_t kMaxIdleLines = 2000;
constexpr std::int64_t kIdleMillis = 7LL * 24 * 60 * 60 * 1000;
// Records alone (a name, a few runs) are small: as many are known as stores may reasonably hold.
constexpr std::size_t kMaxRecords = 20'000;
// At the default interval of 15 s: every ten minutes.
constexpr int kPollsPerPrune = 40;
// A record changes with every poll (last_ms); it is written with the first poll and then with every
// so many, so that a line that is seen is not taken for one that is gone.
constexpr int kPollsPerLastSeen = 20;

}  // namespace

StateHistory::StateHistory(std::unique_ptr<HistoryStore> store) : store_(std::move(store)) {}

// What the store knows of lines and findings, once. Until it can be read, memory has its own.
void StateHistory::LoadRecords() {
  if (store_ == nullptr || records_loaded_) return;
  const auto records = store_->Lines();
  if (!records.ok()) return Note(records.error());
  const auto findings = store_->Findings();
  if (!findings.ok()) return Note(findings.error());
  Learn(*records);
  ages_.Learn(*findings);
  records_loaded_ = true;
  trouble_.clear();
}

// A store that could be read only now may know the jobs that run: their lines go on as its lines.
void StateHistory::Learn(const std::vector<LineRecord>& records) {
  for (const auto& [from, to] : book_.Learn(records)) {
    auto line = lines_.extract(from);
    if (line.empty()) continue;
    line.key() = to;
    line.mapped().sizes.Rename(to);
    line.mapped().loaded = false;
    lines_.insert(std::move(line));
  }
}

StateHistory::Line& StateHistory::Open(const std::string& key) {
  Line& line = lines_.try_emplace(key, Line{JobSizes(key)}).first->second;
  if (line.loaded || store_ == nullptr || !records_loaded_) return line;
  const auto subjects = store_->Subjects(key);
  if (!subjects.ok()) {
    Note(subjects.error());
    load_failed_ = true;
    return line;
  }
  line.sizes.Load(*subjects);
  line.loaded = true;
  return line;
}

void StateHistory::Begin(const ClusterSnapshot& snapshot) {
  load_failed_ = false;
  LoadRecords();
  snapshot_ = &snapshot;
  places_ = book_.Assign(snapshot);
  ++polls_;
  for (const LineBook::Place& place : places_) {
    if (place.key.empty()) continue;
    Line& line = Open(place.key);
    if (place.anew) line.sizes.Clear(&changes_);
    if (place.began || polls_ % kPollsPerLastSeen == 1) {
      changes_.lines.push_back(book_.record(place.key));
    }
  }
  if (polls_ % kPollsPerLastSeen == 1) ForgetIdle();
}

void StateHistory::Observe(std::size_t index, std::vector<OperatorReport>* operators) {
  const LineBook::Place& place = places_.at(index);
  if (place.key.empty()) return;
  Line& line = lines_.at(place.key);
  line.sizes.Observe(snapshot_->jobs[index], book_.record(place.key), operators, &changes_);
}

const JobSizes* StateHistory::SizesOf(std::size_t index) const {
  const std::string& key = places_.at(index).key;
  const auto line = key.empty() ? lines_.end() : lines_.find(key);
  return line == lines_.end() ? nullptr : &line->second.sizes;
}

void StateHistory::Stamp(std::vector<Finding>* findings) {
  ages_.Stamp(snapshot_->taken_ms, findings, &changes_);
}

void StateHistory::ForgetIdle() {
  const std::vector<std::string> idle = book_.Idle();
  std::size_t held = 0;
  for (const std::string& key : idle) held += lines_.contains(key) ? 1 : 0;
  std::size_t records = book_.size();
  for (const std::string& key : idle) {
    const auto line = lines_.find(key);
    const bool old = book_.record(key).last_ms < snapshot_->taken_ms - kIdleMillis;
    const bool in_store = store_ != nullptr && records_loaded_ && !all_unwritten_;
    // The store gives it back when the job returns.
    if (line != lines_.end() && (old || in_store || held > kMaxIdleLines)) {
      lines_.erase(line);
      --held;
    }
    if ((old && !in_store) || records > kMaxRecords) {
      book_.Forget(key);
      lines_.erase(key);
      --records;
    }
  }
}

void StateHistory::Commit() {
  HistoryChanges changes = std::exchange(changes_, {});
  if (store_ == nullptr) return;
  // A store that cannot be read is not written either: what it holds would be lost or doubled.
  if (!records_loaded_ || load_failed_) {
    all_unwritten_ = true;
    return;
  }
  if (all_unwritten_) {
    const Status status = WriteAll();
    if (!status.ok()) return Note(status.error());
    all_unwritten_ = false;
  } else if (!changes.empty()) {
    const Status status = store_->Write(changes);
    if (!status.ok()) {
      all_unwritten_ = true;
      return Note(status.error());
    }
  }
  trouble_.clear();
  if (++polls_since_prune_ < kPollsPerPrune) return;
  polls_since_prune_ = 0;
  const Status status = store_->Prune(snapshot_->taken_ms);
  if (!status.ok()) Note(status.error());
}

// Line by line: after long trouble all at once would take much memory.
Status StateHistory::WriteAll() {
  for (auto& [key, line] : lines_) {
    HistoryChanges changes;
    changes.lines.push_back(book_.record(key));
    line.sizes.DescribeAll(&changes);
    Status status = store_->Write(changes);
    if (!status.ok()) return status;
  }
  HistoryChanges findings;
  ages_.DescribeAll(&findings);
  return store_->Write(findings);
}

}  // namespace fss
