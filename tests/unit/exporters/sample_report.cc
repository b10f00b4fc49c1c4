#include "sample_report.h"

#include <array>
#include <memory>
#include <utility>

namespace fss {
namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kTakenMs = 1'700'000'000'000;

OperatorReport Operator(std::string vertex, std::int64_t node, std::string label, std::string kind,
                        Cleanup cleanup) {
  OperatorReport op;
  op.vertex_id = std::move(vertex);
  op.node_id = node;
  op.label = std::move(label);
  op.kind = std::move(kind);
  op.cleanup = cleanup;
  op.matched_by = MatchedBy::kUid;
  return op;
}

CheckpointConfig RocksDb() {
  CheckpointConfig config;
  config.state_backend = "EmbeddedRocksDBStateBackend";
  config.checkpoint_storage = "FileSystemCheckpointStorage";
  config.interval_ms = 5000;
  config.unaligned = false;
  return config;
}

JobReport Cascade() {
  JobReport job;
  job.cluster = "prod";
  job.id = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  job.name = "cascade";
  job.state = "RUNNING";
  job.start_ms = kTakenMs - kHour;
  job.flink_version = "2.3.0";
  job.config = RocksDb();
  job.incremental = true;
  job.counts = CheckpointCounts{41, 2, 0, 0};
  job.checkpoint_id = 41;
  job.checkpoint_trigger_ms = kTakenMs - 3000;
  job.checkpoint_age_ms = 3000;
  job.checkpoint_state_size = 1'468'006;
  job.tasks_total = 8;
  job.tasks_running = 8;
  job.plan = "cascade.json";
  job.plan_matched_by = MatchedBy::kUid;
  job.operators.push_back(
      Operator("v1", 1, "Source: orders[1]", "table-source-scan", Cleanup::kConnector));
  job.operators.back().size_bytes = 1024;
  job.operators.back().checkpointed_bytes = 1024;
  OperatorReport first = Operator("v2", 19, "Join[19]", "join", Cleanup::kTtl);
  first.size_bytes = 943'718;
  first.checkpointed_bytes = 40'960;
  first.state = {{"leftState", kDay, false}, {"rightState", 2 * kHour, false}};
  // As the sketch of the product has it: both inputs known from RocksDB.
  first.trend = {Verdict::kFilling, false, true, 2662.4, 940'000, 189'000'000};
  first.state[0].live_bytes = 700'000;
  first.state[0].keys = 4200;
  first.state[0].trend = {Verdict::kFilling, false, true, 2150.4, 700'000, 185'000'000};
  first.state[1].live_bytes = 200'000;
  first.state[1].keys = 1600;
  first.state[1].trend = {Verdict::kFlat, false, false, 0, 200'000, std::nullopt};
  job.operators.push_back(first);
  job.operators.push_back(Operator("v2", 20, "Calc[20]", "calc", Cleanup::kStateless));
  OperatorReport second = Operator("v3", 24, "Join[24]", "join", Cleanup::kTtl);
  second.size_bytes = 524'288;
  second.checkpointed_bytes = 0;
  second.state = {{"leftState", 30 * kMinute, true}, {"rightState", 7 * kDay, false}};
  second.trend = {Verdict::kGrowing, true, true, 102.4567, 524'000, std::nullopt};
  second.seconds_until_full = 7'776'000;
  second.full_of = FullOf::kDisk;
  job.operators.push_back(second);
  job.operators.push_back(Operator("v3", 26, "kv_sink[26]: Writer", "sink", Cleanup::kConnector));
  job.edges = std::make_shared<const OperatorEdges>(OperatorEdges{{1, 0}, {2, 1}, {3, 2}, {4, 3}});
  auto history = std::make_shared<SizeHistory>(kTakenMs - kHour);
  history->Add(1, std::array{SizeOverTime{0, 1000}, SizeOverTime{3590, 943'718}});
  history->Add(3, std::array{SizeOverTime{60, 500'000}});
  job.size_history = std::move(history);
  job.fills_first = 3;
  return job;
}

JobReport Windows() {
  JobReport job = Cascade();
  job.id = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
  job.name = "fenster \"minütlich\"\nüber 注文";
  job.plan = "set.json";
  job.plan_matched_by = MatchedBy::kDescription;
  job.incremental = false;
  job.config->state_backend = "HashMapStateBackend";
  job.tasks_running = 3;
  job.heap = HeapReport{"tm-1:40001-abc", 600'000'000, 1'000'000'000, 70'012'345, 8.5};
  job.state_limit_bytes = 20'000'000'000;
  job.edges.reset();
  job.size_history.reset();
  job.operators.clear();
  OperatorReport window = Operator("w1", 78, "GlobalWindowAggregate[78]", "global-window-aggregate",
                                   Cleanup::kWatermark);
  window.size_bytes = 12'345;
  window.trend = {Verdict::kFlat, false, false, 0, 12'000, std::nullopt};
  job.operators.push_back(window);
  job.operators.push_back(Operator("w2", 80, "OverAggregate[80]", "over-aggregate", Cleanup::kTtl));
  OperatorReport group = Operator("w3", 6, "注文の集計[6]", "group-aggregate", Cleanup::kTtl);
  group.state = {{"groupAggregateState", 0, false}};
  group.size_bytes = 70'000'000;
  group.trend = {Verdict::kGrowing, false, true, 5242.88, 70'000'000, std::nullopt};
  group.seconds_until_full = 1800;
  group.full_of = FullOf::kHeap;
  job.operators.push_back(group);
  job.fills_first = 2;
  job.operators.push_back(Operator("w4", 90, "Mystery[90]", "mystery", Cleanup::kUnknown));
  return job;
}

JobReport WithoutPlan() {
  JobReport job;
  job.cluster = "prod";
  job.id = "cccccccccccccccccccccccccccccccc";
  job.name = "no-plan";
  job.state = "RESTARTING";
  job.flink_version = "2.3.0";
  job.counts = CheckpointCounts{};
  OperatorReport op;
  op.vertex_id = "n1";
  op.label = "GroupAggregate[6]";
  op.kind = "group-aggregate";
  op.cleanup = Cleanup::kTtl;
  op.matched_by = MatchedBy::kName;
  job.operators.push_back(op);
  return job;
}

JobReport Ended() {
  JobReport job;
  job.cluster = "prod";
  job.id = "dddddddddddddddddddddddddddddddd";
  job.name = "broken at start";
  job.state = "FAILED";
  job.flink_version = "2.3.0";
  job.terminal = true;
  // A collector may know more of it than anybody should be shown.
  job.counts = CheckpointCounts{0, 1, 0, 0};
  job.operators = Cascade().operators;
  return job;
}

Finding FindingOf(std::string code, Severity severity, const JobReport& job) {
  Finding finding;
  finding.code = std::move(code);
  finding.severity = severity;
  finding.job = job.name;
  finding.job_id = job.id;
  finding.first_seen_ms = kTakenMs;
  return finding;
}

Finding ShadowedHint() {
  Finding finding = FindingOf("ttl-from-job-default", Severity::kWarning, Cascade());
  finding.vertex_id = "v3";
  finding.node_id = 24;
  finding.operator_label = "Join[24]";
  finding.state = "leftState";
  finding.message =
      "Join[24] leftState keeps rows for 30 min, the job's default: STATE_TTL hints do not reach "
      "the result of the first join. orders are kept 1 d before it, so after 30 min without an "
      "update a match is lost.";
  finding.advice =
      "put the first join into a view with its own hint, then hint the view:\n"
      "    CREATE VIEW paid AS SELECT /*+ STATE_TTL('o'='1d','p'='2h') */ * FROM orders o JOIN "
      "payments p ON o.order_id = p.order_id;\n"
      "    SELECT /*+ STATE_TTL('paid'='1d','u'='7d') */ * FROM paid JOIN users u ON paid.user_id "
      "= u.user_id;\n"
      "Flink 2.3 migrates the state of a restored job.";
  return finding;
}

}  // namespace

Report ReportOf(std::vector<JobReport> jobs) {
  Report report;
  report.cluster = "prod";
  report.flink_version = "2.3.0";
  report.taken_ms = kTakenMs;
  report.health.up = true;
  report.health.polls = 7;
  report.health.last_success_ms = kTakenMs;
  report.health.last_poll_duration_ms = 42;
  report.jobs = std::move(jobs);
  return report;
}

Report SampleReport() {
  Report report = ReportOf({Cascade(), Windows(), WithoutPlan(), Ended()});
  report.plans_loaded = 3;
  report.plans_unreadable = 1;
  Finding failing = FindingOf("checkpoint-failing", Severity::kCritical, Windows());
  failing.message = "The last 5 checkpoints failed.";
  Finding missing = FindingOf("plan-missing", Severity::kInfo, WithoutPlan());
  missing.message = "No plan fits this job.";
  missing.advice = "Save its plan with COMPILE PLAN.";
  missing.acknowledged = true;
  Finding of_ended = FindingOf("forever-state", Severity::kWarning, Ended());
  of_ended.message = "Kept for ever.";
  Finding of_plan;
  of_plan.code = "plan-unreadable";
  of_plan.plan = "old.json";
  of_plan.message = "old.json cannot be read.";
  report.findings = {failing, ShadowedHint(), of_ended, of_plan, missing};
  return report;
}

SidecarStats SampleStats() {
  SidecarStats stats;
  stats.poll_durations = {1, 2, 3};
  stats.poll_durations.back() = 1;
  stats.poll_duration_sum_seconds = 45.25;
  stats.rest_requests = {{"2xx", 120}, {"timeout", 3}};
  stats.rest_response_bytes = 123'456'789;
  stats.collector_success = {{"flink", true}, {"plans", false}};
  return stats;
}

std::vector<LintedPlan> SampleLint() {
  LintedPlan plan;
  plan.file = "plans/cascade.json";
  plan.flink_version = "2.3";
  const auto op = [](std::int64_t id, const std::string& kind, const std::string& label,
                     Cleanup cleanup, int line) {
    LintedOperator made;
    made.node_id = id;
    made.type = "stream-exec-" + kind + (kind == "table-source-scan" ? "_2" : "_1");
    made.kind = kind;
    made.label = label;
    made.cleanup = cleanup;
    made.line = line;
    made.identity = "does-what-" + kind + "-does";
    return made;
  };
  const LintedOperator source = op(1, "table-source-scan", "orders[1]", Cleanup::kConnector, 3);
  LintedOperator join = op(24, "join", "Join[24]", Cleanup::kTtl, 41);
  join.state = {{0, "leftState", "30 min", 30 * kMinute, true, {"orders", "payments"}, {"user_id"}},
                {1, "rightState", "0 ms", 0, false, {"users"}, {}}};
  join.expiry = "a match later than that is silently lost";
  LintedOperator refused = op(25, "rank", "", Cleanup::kTtl, 102);
  refused.state = {{0, "rankState", "1 w", std::nullopt, false}};
  const LintedOperator window =
      op(30, "window-aggregate", "WindowAggregate[30]", Cleanup::kWatermark, 120);
  plan.operators = {source, join, refused, window};
  Finding finding = ShadowedHint();
  finding.job.clear();
  finding.job_id.clear();
  finding.vertex_id.clear();
  finding.first_seen_ms.reset();
  plan.findings = {finding};
  LintedPlan broken;
  broken.file = "plans/cut.json";
  broken.error = "not JSON: the text ends at byte 120";
  return {plan, broken};
}

JobReport OneOperatorJob(const std::string& name, const std::string& id) {
  JobReport job;
  job.cluster = "prod";
  job.id = id;
  job.name = name;
  job.state = "RUNNING";
  OperatorReport op = Operator("v1", 6, "GroupAggregate[6]", "group-aggregate", Cleanup::kTtl);
  op.size_bytes = 100;
  op.state = {{"groupAggregateState", 0, false}};
  job.operators = {op};
  return job;
}

}  // namespace fss
