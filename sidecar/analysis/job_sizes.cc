#include "sidecar/analysis/job_sizes.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "sidecar/analysis/line_book.h"
#include "sidecar/analysis/live_entries.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/restore_advice.h"
#include "sidecar/analysis/time_bound.h"

namespace fss {
namespace {

// A line is written anew, thinned, when as many points were appended as it may have: so a store
// holds at most twice as many, and each point is written about twice.
constexpr std::uint32_t kAppendsPerRewrite = kMaxSizePoints;
// Lines begin as if up to so many had been appended, each another number: all lines of a cluster
// get their points together, and would be written anew in one poll.
constexpr std::uint32_t kRewriteSpread = kAppendsPerRewrite;

// Of what holds nothing.
const Trend kEmpty = {Verdict::kFlat, 0, 0, std::nullopt, false, false};

// The line of a vertex whose operators list no entries: no entry is called so.
constexpr const char* kAllStates = "*";

// A job that is starting or failing has no figures of its own yet, or those of a part of its
// subtasks: not a size to remember.
bool IsWhole(const JobSnapshot& job) {
  return !job.tasks_total || job.tasks_running == job.tasks_total;
}

bool OnHeap(const JobSnapshot& job) {
  return BackendFamilyOf(job.config) == BackendFamily::kHashMap;
}

// How long a row of these operators (one vertex') may stay: the longest; 0 for ever, absent where
// that of one is not known.
std::optional<std::int64_t> LongestStay(const JobVertex& vertex,
                                        const std::vector<OperatorReport>& operators,
                                        std::size_t begin, std::size_t end) {
  std::int64_t longest = 0;
  for (std::size_t o = begin; o < end; ++o) {
    const OperatorReport& op = operators[o];
    for (const EntryReport& entry : op.state) {
      if (!entry.ttl_ms) return std::nullopt;
      if (*entry.ttl_ms == 0) return 0;
      longest = std::max(longest, *entry.ttl_ms);
    }
    const std::size_t chain = o - begin;
    if (op.cleanup == Cleanup::kWatermark && chain < vertex.chain.size()) {
      longest = std::max(longest, TimeBoundOf(vertex.chain[chain].description).value_or(0));
    }
  }
  if (longest == 0) return std::nullopt;
  return longest;
}

// What RocksDB's bookkeeping for these operators (one vertex') may add with each checkpoint.
double BookkeepingOf(const std::vector<OperatorReport>& operators, std::size_t begin,
                     std::size_t end) {
  double sum = 0;
  for (std::size_t o = begin; o < end; ++o) {
    const OperatorKind* row = FindOperatorKind(operators[o].kind);
    if (row != nullptr && row->keyed) sum += row->bookkeeping_bytes;
  }
  return sum > 0 ? sum : OperatorKind().bookkeeping_bytes;
}

// The verdict that matters more to who is on call comes first.
int Weight(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGrowing:
      return 4;
    case Verdict::kFilling:
      return 3;
    case Verdict::kFlat:
      return 2;
    case Verdict::kShrinking:
      return 1;
    case Verdict::kUnknown:
      break;
  }
  return 0;
}

// An operator's trend out of its entries', which see what compaction hides from the vertex' size.
// Where one entry's is not known yet, the vertex' own stands.
void TakeFromEntries(OperatorReport* op) {
  Trend sum;
  double level = 0;
  double plateau = 0;
  double rate = 0;
  bool settles = true;
  for (const EntryReport& entry : op->state) {
    const Trend& trend = entry.trend;
    if (trend.verdict == Verdict::kUnknown) return;
    if (Weight(trend.verdict) > Weight(sum.verdict)) sum.verdict = trend.verdict;
    rate += trend.bytes_per_second.value_or(0);
    level += trend.level_bytes.value_or(0);
    plateau += trend.plateau_bytes.value_or(trend.level_bytes.value_or(0));
    settles = settles && (trend.verdict != Verdict::kFilling || trend.plateau_bytes);
    sum.past_ttl = sum.past_ttl || trend.past_ttl;
    sum.rises = sum.rises || trend.rises;
  }
  if (sum.verdict == Verdict::kUnknown) return;
  sum.bytes_per_second = sum.verdict == Verdict::kFlat ? 0 : rate;
  // What the checkpoint holds is more than what lives; the limit is for what it holds.
  sum.level_bytes = op->trend.level_bytes;
  if (!sum.level_bytes) {
    sum.level_bytes = op->size_bytes ? static_cast<double>(*op->size_bytes) : level;
  }
  if (sum.verdict == Verdict::kFilling && settles) sum.plateau_bytes = plateau;
  op->trend = sum;
}

}  // namespace

JobSizes::Subject::Subject(std::size_t judging_turn, std::size_t rewriting_turn)
    : tracker(judging_turn),
      appended(static_cast<std::uint32_t>(rewriting_turn % kRewriteSpread)) {}

void JobSizes::Load(const std::vector<SubjectRecord>& subjects) {
  for (const SubjectRecord& record : subjects) {
    Subject& subject = FindOrAdd(record.key).second;
    const SizeLine held = subject.tracker.line();
    subject.tracker.Clear();
    for (const SizePoint& point : record.points) {
      if (held.empty() || point.t_ms() < held.points().front().t_ms()) {
        subject.tracker.line().Add(point);
      }
    }
    for (const SizePoint& point : held.points()) subject.tracker.line().Add(point);
    if (!record.points.empty()) subject.loaded_until_ms = record.points.back().t_ms();
    subject.fresh = !subject.tracker.line().empty();
    // What the store gave beyond one line's points was appended; at the worst a rewrite comes
    // early.
    const std::size_t more = record.points.size() - std::min(record.points.size(), kMaxSizePoints);
    subject.appended = std::max(subject.appended, static_cast<std::uint32_t>(more));
  }
}

void JobSizes::Clear(HistoryChanges* changes) {
  for (const auto& [key, subject] : subjects_) changes->replaced.push_back({key_, key, {}});
  subjects_.clear();
}

void JobSizes::DescribeAll(HistoryChanges* changes) {
  for (auto& [key, subject] : subjects_) {
    const auto points = subject.tracker.line().points();
    changes->replaced.push_back({key_, key, {points.begin(), points.end()}});
    subject.appended = 0;
  }
}

JobSizes::Keyed& JobSizes::FindOrAdd(SubjectView key) {
  const auto found = subjects_.find(key);
  if (found != subjects_.end()) return *found;
  SubjectKey own{std::string(key.vertex_id), std::string(key.entry)};
  const std::size_t judging_turn =
      std::hash<std::string_view>()(key.vertex_id) + std::hash<std::string_view>()(key.entry);
  const std::size_t rewriting_turn = std::hash<std::string>()(key_) + subjects_.size();
  return *subjects_.try_emplace(std::move(own), judging_turn, rewriting_turn).first;
}

JobSizes::Subject* JobSizes::Find(SubjectView key) {
  const auto found = subjects_.find(key);
  return found == subjects_.end() ? nullptr : &found->second;
}

std::span<const SizePoint> JobSizes::PointsOf(const std::string& vertex_id) const {
  const auto found = subjects_.find(SubjectView(vertex_id));
  if (found == subjects_.end()) return {};
  return found->second.tracker.line().points();
}

void JobSizes::Add(SubjectView key, std::int64_t t_ms, std::int64_t checkpoint_id,
                   std::int64_t bytes, HistoryChanges* changes) {
  // What never held anything has no line: most operators of most jobs.
  if (bytes == 0 && Find(key) == nullptr) return;
  auto& [own_key, subject] = FindOrAdd(key);
  SizeLine& line = subject.tracker.line();
  if (t_ms <= subject.loaded_until_ms || !line.Add(t_ms, bytes)) return;
  subject.fresh = true;
  if (++subject.appended > kAppendsPerRewrite) {
    changes->replaced.push_back({key_, own_key, {line.points().begin(), line.points().end()}});
    subject.appended = 0;
  } else {
    changes->appended.push_back({key_, own_key, t_ms, checkpoint_id, bytes});
  }
}

void JobSizes::AddCheckpoints(const JobSnapshot& job, HistoryChanges* changes) {
  checkpoints_ += job.fresh.size();
  for (const CompletedCheckpoint& checkpoint : job.fresh) {
    for (const auto& [vertex, size] : checkpoint.vertices) {
      // In-flight data is no state: it comes with backpressure and goes with it.
      const std::int64_t in_flight = std::clamp<std::int64_t>(
          size.persisted_data.value_or(0), 0, std::max<std::int64_t>(0, size.state_size));
      Add(SubjectView(vertex), checkpoint.trigger_ms, checkpoint.id, size.state_size - in_flight,
          changes);
    }
  }
}

void JobSizes::AddSavepoints(const JobSnapshot& job, HistoryChanges* changes) {
  for (const CompletedCheckpoint& checkpoint : job.history) {
    if (!checkpoint.savepoint || checkpoint.trigger_ms <= last_savepoint_ms_) continue;
    last_savepoint_ms_ = checkpoint.trigger_ms;
    changes->savepoints.push_back(
        {key_, job.id, checkpoint.id, checkpoint.trigger_ms, checkpoint.state_size});
  }
}

void JobSizes::Observe(const JobSnapshot& job, const LineRecord& record,
                       std::vector<OperatorReport>* operators, HistoryChanges* changes) {
  AddCheckpoints(job, changes);
  AddSavepoints(job, changes);
  std::vector<OperatorReport>& ops = *operators;
  for (std::size_t begin = 0; begin < ops.size();) {
    std::size_t end = begin + 1;
    while (end < ops.size() && ops[end].vertex_id == ops[begin].vertex_id) ++end;
    const auto live = job.live.find(ops[begin].vertex_id);
    const auto with_entries = [](const OperatorReport& op) { return !op.state.empty(); };
    const auto first = ops.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = ops.begin() + static_cast<std::ptrdiff_t>(end);
    const bool alone = std::count_if(first, last, with_entries) == 1;
    if (const JobVertex* vertex = job.graph.FindVertex(ops[begin].vertex_id)) {
      JudgeVertex(job, record, *vertex, operators, begin, end);
      if (live != job.live.end() && std::none_of(first, last, with_entries)) {
        JudgeWithoutEntries(job, record, *vertex, live->second, operators, begin, end, changes);
      }
    }
    for (auto op = first; op != last; ++op) {
      if (op->state.empty()) continue;
      if (live != job.live.end()) AddLive(job, live->second, alone, &*op, changes);
      JudgeEntries(job, record, &*op);
    }
    begin = end;
  }
}

void JobSizes::AddLive(const JobSnapshot& job, const LiveSample& sample, bool alone,
                       OperatorReport* op, HistoryChanges* changes) {
  const std::vector<LiveFigures> figures = LiveFiguresOf(sample, *op, alone);
  for (std::size_t e = 0; e < figures.size(); ++e) {
    EntryReport& entry = op->state[e];
    entry.live_bytes = figures[e].live_bytes;
    entry.keys = figures[e].keys;
    if (entry.live_bytes && IsWhole(job)) {
      Add({op->vertex_id, entry.name}, sample.taken_ms, 0, *entry.live_bytes, changes);
    }
  }
}

void JobSizes::JudgeEntries(const JobSnapshot& job, const LineRecord& record, OperatorReport* op) {
  bool any = false;
  for (EntryReport& entry : op->state) {
    Subject* subject = Find({op->vertex_id, entry.name});
    if (subject == nullptr) {
      // Nothing ever was in it: as flat as can be, where RocksDB says so.
      if (entry.live_bytes == std::int64_t{0}) entry.trend = kEmpty;
      continue;
    }
    // Figures that stopped coming (the metrics were switched off) say nothing of today.
    if (!entry.live_bytes) continue;
    if (std::exchange(subject->fresh, false)) {
      subject->tracker.Update(ContextOf(job, record, *subject, entry.ttl_ms));
    }
    entry.trend = subject->tracker.trend();
    any = true;
  }
  if (any) TakeFromEntries(op);
}

void JobSizes::JudgeVertex(const JobSnapshot& job, const LineRecord& record,
                           const JobVertex& vertex, std::vector<OperatorReport>* operators,
                           std::size_t begin, std::size_t end) {
  Subject* subject = Find(SubjectView(vertex.id));
  if (subject == nullptr) {
    // It never held anything: as flat as can be, once enough was seen.
    for (std::size_t o = begin; o < end; ++o) {
      OperatorReport& op = (*operators)[o];
      if (op.size_bytes == std::int64_t{0} && checkpoints_ >= kLeastTrendPoints) op.trend = kEmpty;
    }
    return;
  }
  if (std::exchange(subject->fresh, false)) {
    TrendContext context =
        ContextOf(job, record, *subject, LongestStay(vertex, *operators, begin, end));
    if (!OnHeap(job)) {
      context.bookkeeping_bytes_per_checkpoint =
          BookkeepingOf(*operators, begin, end) * std::max(1, vertex.parallelism);
    }
    subject->tracker.Update(context);
  }
  for (std::size_t o = begin; o < end; ++o) {
    OperatorReport& op = (*operators)[o];
    if (op.size_bytes) op.trend = subject->tracker.trend();
  }
}

// Windows, interval joins and the like list no entries: what all their states hold together is
// judged, and shown as the operator's.
void JobSizes::JudgeWithoutEntries(const JobSnapshot& job, const LineRecord& record,
                                   const JobVertex& vertex, const LiveSample& sample,
                                   std::vector<OperatorReport>* operators, std::size_t begin,
                                   std::size_t end, HistoryChanges* changes) {
  std::optional<std::int64_t> bytes;
  for (const LiveState& state : sample.states) {
    if (state.live_bytes) bytes = bytes.value_or(0) + *state.live_bytes;
  }
  if (!bytes) return;
  const SubjectView key{vertex.id, kAllStates};
  if (IsWhole(job)) Add(key, sample.taken_ms, 0, *bytes, changes);
  Subject* subject = Find(key);
  if (subject == nullptr) return;
  if (std::exchange(subject->fresh, false)) {
    subject->tracker.Update(
        ContextOf(job, record, *subject, LongestStay(vertex, *operators, begin, end)));
  }
  const Trend& trend = subject->tracker.trend();
  if (trend.verdict == Verdict::kUnknown) return;
  for (std::size_t o = begin; o < end; ++o) {
    OperatorReport& op = (*operators)[o];
    if (!op.size_bytes) continue;
    const std::optional<double> level = op.trend.level_bytes;
    op.trend = trend;
    // What the checkpoint holds is more than what lives; a limit is for what it holds.
    if (level) op.trend.level_bytes = level;
  }
}

TrendContext JobSizes::ContextOf(const JobSnapshot& job, const LineRecord& record,
                                 const Subject& subject, std::optional<std::int64_t> ttl_ms) const {
  TrendContext context;
  context.ttl_ms = ttl_ms;
  const auto points = subject.tracker.line().points();
  if (!points.empty() && !record.runs.empty()) {
    context.line_start_ms = LineBook::RunStartAt(record, points.front().t_ms());
  }
  if (ttl_ms) context.cleanup_allowance_ms = DefaultCleanupAllowance(*ttl_ms, OnHeap(job));
  return context;
}

}  // namespace fss
