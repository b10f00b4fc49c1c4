#include "sidecar/analysis/capacity.h"

#include <algorithm>
#include <limits>

#include "sidecar/analysis/restore_advice.h"
#include "sidecar/analysis/time_until.h"

namespace fss {
namespace {

// Nobody plans for longer.
constexpr double kLongestSeconds = 100.0 * 366 * 24 * 60 * 60;
// Of what is left in a place: who settles before it is full, and with less than that, is no cause.
constexpr double kLeastPart = 0.01;

double SizeOf(const OperatorReport& op) {
  if (op.trend.level_bytes) return *op.trend.level_bytes;
  return static_cast<double>(op.size_bytes.value_or(0));
}

// How the operator's size goes on. A rise that slows down without a known end takes nothing: it is
// as likely to end tomorrow.
Rise RiseOf(const Trend& trend) {
  const bool growing = trend.verdict == Verdict::kGrowing;
  const bool filling = trend.verdict == Verdict::kFilling && trend.plateau_bytes;
  if ((!growing && !filling) || !trend.bytes_per_second) return {};
  Rise rise;
  rise.rate = std::max(0.0, *trend.bytes_per_second);
  if (filling) rise.most = std::max(0.0, *trend.plateau_bytes - trend.level_bytes.value_or(0));
  return rise;
}

// What shares one place.
class Pool {
 public:
  Pool(FullOf what, double left) : what_(what), left_(left) {}

  // `share`: of the operator's state that lies here.
  void Add(OperatorReport* op, double share = 1) {
    Rise rise = RiseOf(op->trend);
    if (rise.rate <= 0 || share <= 0) return;
    rise.rate *= share;
    rise.most *= share;
    rises_.push_back(rise);
    members_.push_back(op);
  }

  void Tell() const {
    const auto seconds = SecondsUntil(left_, rises_);
    if (!seconds || !(*seconds < kLongestSeconds)) return;
    const auto whole = static_cast<std::int64_t>(*seconds);
    for (std::size_t m = 0; m < members_.size(); ++m) {
      OperatorReport* op = members_[m];
      if (!Matters(rises_[m], *seconds)) continue;
      if (op->seconds_until_full && *op->seconds_until_full <= whole) continue;
      op->seconds_until_full = whole;
      op->full_of = what_;
      for (EntryReport& entry : op->state) {
        if (RiseOf(entry.trend).rate > 0) entry.seconds_until_full = whole;
      }
    }
  }

 private:
  bool Matters(const Rise& rise, double seconds) const {
    return rise.rate * seconds <= rise.most || rise.most >= kLeastPart * left_;
  }

  FullOf what_;
  double left_;
  std::vector<Rise> rises_;
  std::vector<OperatorReport*> members_;
};

double SizeOf(const JobReport& job) {
  double sum = 0;
  for (const OperatorReport& op : job.operators) sum += SizeOf(op);
  return sum;
}

void TellDisk(const DiskSpace& disk, std::vector<JobReport>* jobs) {
  if (!disk.limit && !disk.free) return;
  double held = 0;
  std::vector<JobReport*> on_disk;
  for (JobReport& job : *jobs) {
    const BackendFamily family = BackendFamilyOf(job.config);
    if (job.terminal || (family != BackendFamily::kRocksDb && family != BackendFamily::kForSt)) {
      continue;
    }
    held += SizeOf(job);
    on_disk.push_back(&job);
  }
  double left = std::numeric_limits<double>::infinity();
  if (disk.limit) left = static_cast<double>(*disk.limit) - held;
  if (disk.free) left = std::min(left, static_cast<double>(*disk.free));
  Pool pool(FullOf::kDisk, left);
  for (JobReport* job : on_disk) {
    for (OperatorReport& op : job->operators) pool.Add(&op);
  }
  pool.Tell();
}

void TellLimit(JobReport* job) {
  if (job->terminal || !job->state_limit_bytes) return;
  Pool pool(FullOf::kJobLimit, static_cast<double>(*job->state_limit_bytes) - SizeOf(*job));
  for (OperatorReport& op : job->operators) pool.Add(&op);
  pool.Tell();
}

// The TaskManager with the least to spare, as a share of its heap.
void DescribeHeap(const std::string& id, const HeapWatch::Heap& heap, JobReport* job) {
  const auto share = heap.state_by_job.find(job->id);
  if (share == heap.state_by_job.end()) return;
  const double used = heap.floor / heap.max;
  if (job->heap &&
      static_cast<double>(job->heap->floor) / static_cast<double>(job->heap->max) >= used) {
    return;
  }
  job->heap =
      HeapReport{id, static_cast<std::int64_t>(heap.floor), static_cast<std::int64_t>(heap.max),
                 static_cast<std::int64_t>(share->second), heap.factor};
}

void TellHeap(const HeapWatch& watch, std::vector<JobReport>* jobs) {
  for (const auto& [id, heap] : watch.heaps()) {
    Pool pool(FullOf::kHeap, heap.factor ? (heap.max - heap.floor) / *heap.factor : 0);
    for (JobReport& job : *jobs) {
      if (job.terminal || BackendFamilyOf(job.config) != BackendFamily::kHashMap) continue;
      DescribeHeap(id, heap, &job);
      const auto here = heap.state_by_job.find(job.id);
      if (here == heap.state_by_job.end()) continue;
      double size = 0;
      for (const OperatorReport& op : job.operators) {
        size += static_cast<double>(op.size_bytes.value_or(0));
      }
      if (size <= 0) continue;
      for (OperatorReport& op : job.operators) pool.Add(&op, std::min(1.0, here->second / size));
    }
    if (heap.factor) pool.Tell();
  }
}

}  // namespace

void ApplyCapacity(const HeapWatch& heap, const DiskSpace& disk, std::vector<JobReport>* jobs) {
  TellHeap(heap, jobs);
  TellDisk(disk, jobs);
  for (JobReport& job : *jobs) TellLimit(&job);
}

}  // namespace fss
