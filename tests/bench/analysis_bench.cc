// What the analysis of one poll costs, without the JobManager: Evaluator::Evaluate over jobs of 20
// operators with state, each with a new checkpoint and a week of thinned points behind it. Every
// job has a plan of its own, which is the dearest library.
//
//   analysis_bench [jobs…]         (default: 250 500 1000)
//   analysis_bench --profile jobs  (the usual cluster in this very process, for perf and heaptrack)
//
// Prints CPU time per poll (one thread) and the memory that evaluator and report take, beside the
// limits. Exit 1 above 200 ms or 100 MiB for 1,000 jobs, or the same share of it for fewer, with up
// to a mebibyte for what does not hang on their number.
//
// In the usual cluster one job in ten has growing, filling and shrinking operators; all others only
// sizes that go up and down: saw-teeth, cycles of days, steps. The worst one, where every job has
// operators of all kinds (half of them growing), is printed beside it, without limit.
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidecar/analysis/correlator.h"
#include "sidecar/analysis/evaluator.h"
#include "sidecar/base/millis.h"
#include "tests/bench/series/series_maker.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss::bench {
namespace {

constexpr double kJobs = 1000;
constexpr double kMostMillis = 200;
constexpr double kMostMebibytes = 100;
constexpr double kFixedMebibytes = 1;
constexpr std::size_t kOperators = 20;
constexpr int kPolls = 15;
constexpr std::int64_t kNow = 1'790'000'000'000;
constexpr std::int64_t kPollMillis = 60'000;
constexpr std::int64_t kWeekMillis = 7 * kMillisPerDay;
constexpr std::int64_t kStart = kNow - kWeekMillis - kMillisPerHour;

// 5 sources, 4 joins, 9 GROUP BYs, a deduplication and a Top-N, each a vertex of its own; the sink
// is chained to the last. One job in two sets table.exec.state.ttl, the others keep all for ever,
// but for what hints reach.
CompiledPlan PlanOf(std::size_t number) {
  const std::string suffix = '_' + std::to_string(number);
  const std::int64_t job_ttl = number % 2 == 0 ? 0 : kMillisPerDay;
  sample::PlanBuilder plan("plan" + suffix + ".json", 1 + static_cast<std::int64_t>(number % 7));
  auto last = plan.Source("orders" + suffix, "a, b, amount");
  for (int j = 0; j < 4; ++j) {
    const std::string table = "side_" + std::to_string(j) + suffix;
    const auto other = plan.Source(table, "b, c");
    const std::int64_t left_ttl = j == 0 ? 7 * kMillisPerDay : job_ttl;
    last = plan.Join(last, other, "a = b_" + table, left_ttl, 2 * kMillisPerDay);
  }
  for (int g = 0; g < 9; ++g) {
    last = plan.GroupBy(last, "k" + std::to_string(g) + suffix, job_ttl);
  }
  const std::string key = "k" + suffix;
  last = plan.Add("deduplicate", "Deduplicate(keep=[LastRow], key=[" + key + "], order=[PROCTIME])",
                  {plan.Exchange(last, key)}, {{"deduplicateState", job_ttl}});
  last = plan.Add("rank",
                  "Rank(strategy=[AppendFastStrategy], rankType=[ROW_NUMBER], rankRange=[rankStart="
                  "1, rankEnd=3], partitionBy=[" +
                      key + "], orderBy=[amount DESC], select=[k, amount])",
                  {plan.Exchange(last, key)}, {{"rankState", job_ttl}});
  plan.Sink(last, "out" + suffix);
  return plan.Build();
}

using Week = std::vector<SizePoint>;

// Lines of every shape that the trend analysis knows, stretched to the week before kNow; or only
// of those that nobody need look at.
std::vector<Week> WeeksOf(bool flat_only) {
  std::vector<Week> weeks;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const Recipe& recipe : Recipes()) {
      if (recipe.truth == Verdict::kUnknown) continue;
      if (flat_only && recipe.truth != Verdict::kFlat) continue;
      const Series series = MakeSeries(recipe, seed);
      const std::int64_t first = series.samples.front().t_ms;
      const auto length = static_cast<double>(series.samples.back().t_ms - first);
      SizeLine line;
      for (const Sample& s : series.samples) {
        const double share = static_cast<double>(s.t_ms - first) / length;
        line.Add(kNow - kWeekMillis +
                     static_cast<std::int64_t>(share * static_cast<double>(kWeekMillis)),
                 static_cast<std::int64_t>(s.bytes));
      }
      weeks.emplace_back(line.points().begin(), line.points().end());
    }
  }
  return weeks;
}

class Weeks {
 public:
  explicit Weeks(bool worst) : worst_(worst) {}

  const Week& Of(std::size_t job, std::size_t vertex) const {
    const std::vector<Week>& weeks = worst_ || job % kTroubled == 0 ? all_ : flat_;
    return weeks[(job * kOperators + vertex) % weeks.size()];
  }

 private:
  static constexpr std::size_t kTroubled = 10;  // one job in so many

  bool worst_;
  std::vector<Week> all_ = WeeksOf(false);
  std::vector<Week> flat_ = WeeksOf(true);
};

// What a history file would give back, made up as it is asked for; it keeps nothing.
class WeekStore : public HistoryStore {
 public:
  WeekStore(const std::vector<JobSnapshot>& jobs, const Weeks& weeks) : jobs_(jobs), weeks_(weeks) {
    for (std::size_t j = 0; j < jobs.size(); ++j) place_.emplace(KeyOf(jobs[j]), j);
  }

  Result<std::vector<LineRecord>> Lines() override {
    std::vector<LineRecord> lines;
    for (const JobSnapshot& job : jobs_) {
      lines.push_back({KeyOf(job), job.name, {{job.id, job.start_ms, false}}, kNow});
    }
    return lines;
  }
  Result<std::vector<SubjectRecord>> Subjects(const std::string& line) override {
    std::vector<SubjectRecord> subjects;
    const std::size_t job = place_.at(line);
    const auto& vertices = jobs_[job].graph.vertices;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      subjects.push_back({{vertices[v].id, {}}, weeks_.Of(job, v)});
    }
    return subjects;
  }
  Result<std::vector<HistoryChanges::FirstSeen>> Findings() override {
    return std::vector<HistoryChanges::FirstSeen>{};
  }
  Status Write(const HistoryChanges& /*changes*/) override { return OkStatus(); }
  Status Prune(std::int64_t /*now_ms*/) override { return OkStatus(); }

 private:
  static std::string KeyOf(const JobSnapshot& job) {
    return job.id + '@' + std::to_string(job.start_ms);
  }

  const std::vector<JobSnapshot>& jobs_;
  const Weeks& weeks_;
  std::map<std::string, std::size_t> place_;
};

JobSnapshot Started(const CompiledPlan& plan, std::size_t number) {
  JobSnapshot job = sample::Start(plan, "insert-into_orders_" + std::to_string(number));
  std::array<char, 33> id{};
  std::snprintf(id.data(), id.size(), "%032zx", number + 1);
  job.id = id.data();
  job.state = "RUNNING";
  job.start_ms = kStart;
  job.config = CheckpointConfig{};
  job.config->state_backend = "EmbeddedRocksDBStateBackend";
  job.config->interval_ms = kPollMillis;
  job.counts = CheckpointCounts{};
  return job;
}

// The next checkpoint of every job: each operator goes on as it last did.
void Turn(int poll, const Weeks& weeks, ClusterSnapshot* snapshot) {
  snapshot->taken_ms = kNow + poll * kPollMillis;
  for (std::size_t j = 0; j < snapshot->jobs.size(); ++j) {
    JobSnapshot& job = snapshot->jobs[j];
    job.jobmanager_now_ms = snapshot->taken_ms;
    CompletedCheckpoint checkpoint;
    checkpoint.id = 10'000 + poll;
    checkpoint.trigger_ms = checkpoint.completed_ms.emplace(snapshot->taken_ms - 1000);
    for (std::size_t v = 0; v < kOperators; ++v) {
      const Week& week = weeks.Of(j, v);
      const SizePoint& last = week.back();
      const SizePoint& before = *(week.end() - 2);
      const double slope =
          static_cast<double>(last.mid - before.mid) /
          static_cast<double>(std::max<std::int64_t>(1, last.t_ms() - before.t_ms()));
      const double size = last.mid + slope * static_cast<double>(poll * kPollMillis);
      const auto bytes = static_cast<std::int64_t>(std::max(0.0, size));
      checkpoint.vertices[job.graph.vertices[v].id] = VertexSize{bytes, bytes / 10};
      checkpoint.state_size += bytes;
    }
    checkpoint.checkpointed_size = checkpoint.state_size / 10;
    job.fresh = {checkpoint};
    job.latest = std::move(checkpoint);
  }
}

double CpuMillis() {
  timespec spent{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) * 1e3 + static_cast<double>(spent.tv_nsec) / 1e6;
}

double ResidentMebibytes() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0;
  statm >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

int Run(std::size_t jobs, bool worst) {
  const Weeks weeks(worst);
  PlanLibrary library;
  library.generation = 1;
  ClusterSnapshot snapshot;
  snapshot.cluster = "bench";
  snapshot.flink_version = "2.3.0";
  for (std::size_t j = 0; j < jobs; ++j) {
    library.plans.push_back(PlanOf(j));
    snapshot.jobs.push_back(Started(library.plans.back(), j));
  }
  for (const JobSnapshot& job : snapshot.jobs) {
    if (job.graph.vertices.size() != kOperators) return 2;
  }
  Turn(0, weeks, &snapshot);
  malloc_trim(0);
  const double before_mebibytes = ResidentMebibytes();

  Evaluator evaluator({DefaultUidFormats(), true},
                      std::make_unique<WeekStore>(snapshot.jobs, weeks));
  std::shared_ptr<const Report> report;
  std::vector<double> millis;
  double first = 0;
  for (int poll = 0; poll < kPolls; ++poll) {
    if (poll > 0) Turn(poll, weeks, &snapshot);
    const double begin = CpuMillis();
    // The report of before is there until the new one is.
    report = evaluator.Evaluate(snapshot, library);
    malloc_trim(0);  // as the poll loop does
    (poll == 0 ? first : millis.emplace_back()) = CpuMillis() - begin;
  }
  const double mebibytes = ResidentMebibytes() - before_mebibytes;
  std::ranges::sort(millis);
  const double median = millis[millis.size() / 2];
  const double share = static_cast<double>(jobs) / kJobs;
  std::array<int, 5> verdicts{};
  for (const JobReport& job : report->jobs) {
    for (const OperatorReport& op : job.operators) {
      if (op.size_bytes) ++verdicts.at(static_cast<std::size_t>(op.trend.verdict));
    }
  }
  const double most_mebibytes = kMostMebibytes * share + kFixedMebibytes * (1 - share);
  const bool good = median <= kMostMillis * share && mebibytes <= most_mebibytes;
  std::printf("%-5s %5zu %8.1f %8.1f %8.1f %8.0f %8.1f %8.0f %9.0f %9zu %8d %8d %8d  %s\n",
              worst ? "worst" : "usual", jobs, median, millis.front(), millis.back(),
              kMostMillis * share, mebibytes, most_mebibytes, first, report->findings.size(),
              verdicts[static_cast<std::size_t>(Verdict::kGrowing)],
              verdicts[static_cast<std::size_t>(Verdict::kFilling)],
              verdicts[static_cast<std::size_t>(Verdict::kFlat)],
              worst  ? "no limit"
              : good ? "held"
                     : "MISSED");
  return good || worst ? 0 : 1;
}

// In a process of its own, so that no size finds the memory of the one before.
int RunApart(std::size_t jobs, bool worst) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int code = Run(jobs, worst);
    std::fflush(stdout);
    _exit(code);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 2;
  return WEXITSTATUS(status);
}

}  // namespace
}  // namespace fss::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--profile") {
    return fss::bench::Run(std::strtoull(argv[2], nullptr, 10), false);
  }
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {250, 500, 1000};
  std::printf("%-5s %5s %8s %8s %8s %8s %8s %8s %9s %9s %8s %8s %8s\n", "", "jobs", "ms/poll",
              "best", "worst", "limit", "MiB", "limit", "first ms", "findings", "growing",
              "filling", "flat");
  int code = 0;
  for (const bool worst : {false, true}) {
    for (const std::size_t jobs : sizes) code = std::max(code, fss::bench::RunApart(jobs, worst));
  }
  return code;
}
