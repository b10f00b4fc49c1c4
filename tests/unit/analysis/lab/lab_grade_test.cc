// Steps over artefacts made here; tests/integration/test_lab.py grades those of a real run.
#include "sidecar/analysis/lab/lab_grade.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sidecar/analysis/lab/lab_report.h"

namespace fss {
namespace {

PlanNode Node(std::int64_t id, std::string kind, std::vector<StateEntry> state = {}) {
  PlanNode node;
  node.id = id;
  node.type = "stream-exec-" + kind + "_1";
  node.kind = std::move(kind);
  node.declares_state = !state.empty();
  node.state = std::move(state);
  return node;
}

StateEntry Entry(std::string name, std::string ttl) {
  return {0, std::move(name), std::move(ttl), std::nullopt};
}

PlanNode Join(std::int64_t id, std::string left, std::string right) {
  return Node(id, "join",
              {Entry("leftState", std::move(left)), Entry("rightState", std::move(right))});
}

CompiledPlan Plan(std::vector<PlanNode> nodes) {
  CompiledPlan plan;
  plan.nodes = std::move(nodes);
  return plan;
}

CompiledPlan GroupBy(std::string ttl) {
  return Plan({Node(1, "table-source-scan"),
               Node(2, "group-aggregate", {Entry("groupAggregateState", std::move(ttl))})});
}

// Two orders of user 1 in one window, one of user 2 in the next.
std::vector<LabOrder> Orders() {
  return {{"1", Decimal(5), 0}, {"1", Decimal(7), 1000}, {"2", Decimal(9), 600'000}};
}

LabFolder Good() {
  return {
      Plan({Node(1, "table-source-scan"), Node(2, "calc"), Node(3, "sink")}), GroupBy("0 ms"),
      GroupBy("30 min"), Plan({Join(9, "1 d", "2 h")}),
      // By id, not by place in the file.
      Plan({Join(12, "30 min", "7 d"), Join(5, "1 d", "2 h")}),
      Plan({Node(1, "local-window-aggregate"), Node(2, "global-window-aggregate")}),
      TableauResult{
          {"window_start", "window_end", "orders", "amount"},
          {{RowOp::kInsert, 4, {"1970-01-01 00:00:00.000", "1970-01-01 00:10:00.000", "2", "12"}},
           {RowOp::kInsert, 5, {"1970-01-01 00:10:00.000", "1970-01-01 00:20:00.000", "1", "9"}}},
          2},
      TableauResult{{"user_id", "orders", "total"},
                    {{RowOp::kInsert, 4, {"1", "1", "5"}},
                     {RowOp::kUpdateBefore, 5, {"1", "1", "5"}},
                     {RowOp::kUpdateAfter, 6, {"1", "2", "12"}},
                     {RowOp::kInsert, 7, {"2", "1", "9"}}},
                    4},
      LabJob{"flk-state-rocks", "STREAMING"}, std::string("EmbeddedRocksDBStateBackend"),
      LabReport{"0 ms", "1 d", "2 h", "30 min", 0, "EmbeddedRocksDBStateBackend", 2}};
}

// The reason of the one step that fails; all others must pass.
std::string OnlyFailure(const LabFolder& folder, int number) {
  std::string reason;
  for (const LabStep& step : GradeLab(folder, Orders())) {
    if (step.number == number) {
      EXPECT_FALSE(step.passed) << step.reason;
      reason = step.reason;
    } else {
      EXPECT_TRUE(step.passed) << step.number << " " << step.reason;
    }
  }
  return reason;
}

TEST(LabGrade, AGoodFolderPasses) {
  const auto steps = GradeLab(Good(), Orders());
  ASSERT_EQ(steps.size(), 8U);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].number, static_cast<int>(i) + 1);
    EXPECT_TRUE(steps[i].passed) << steps[i].reason;
    EXPECT_NE(steps[i].reason, "");
  }
}

TEST(LabGrade, AMissingFileFailsItsStepAndTheReportThatNeedsIt) {
  LabFolder folder = Good();
  folder.agg_ttl_plan = Error{ErrorCode::kNotFound, "no such file", "lab/agg-ttl-plan.json"};
  EXPECT_EQ(OnlyFailure(folder, 3), "lab/agg-ttl-plan.json: no such file");
  folder = Good();
  folder.agg_plan = Error{ErrorCode::kNotFound, "no such file", "lab/agg-plan.json"};
  const auto steps = GradeLab(folder, Orders());
  EXPECT_FALSE(steps[1].passed);
  EXPECT_EQ(steps[7].reason, "report.json: cannot be compared: lab/agg-plan.json: no such file");
}

TEST(LabGrade, FilterKeepsNoState) {
  LabFolder folder = Good();
  // Keeps state that its plan does not list.
  folder.calc_plan = Plan({Node(2, "calc"), Node(3, "interval-join")});
  EXPECT_EQ(OnlyFailure(folder, 1),
            "calc-plan.json: stream-exec-interval-join_1 (id 3) keeps state: not the plan of a "
            "filter alone");
  folder.calc_plan = Plan({Node(1, "table-source-scan")});
  EXPECT_EQ(OnlyFailure(folder, 1), "calc-plan.json: no calc in it: not a filter's plan");
  folder.calc_plan->nodes[0].batch = true;
  EXPECT_EQ(OnlyFailure(folder, 1),
            "calc-plan.json: a batch plan: execution.runtime-mode must be streaming");
}

TEST(LabGrade, HintsBySlot) {
  LabFolder folder = Good();
  folder.cascade_plan = Plan({Join(5, "1 d", "2 h"), Join(12, "30 min", "30 min")});
  EXPECT_EQ(OnlyFailure(folder, 5),
            "cascade-plan.json: rightState of the second join is 30 min, expected 7 d: no hint "
            "reached this side: its key must be the alias where the table has one");
  folder.cascade_plan = Plan({Join(5, "1 d", "3 h"), Join(12, "30 min", "7 d")});
  EXPECT_EQ(OnlyFailure(folder, 5),
            "cascade-plan.json: rightState of the first join is 3 h, expected 2 h: the plan is of "
            "another statement");
  folder.cascade_plan = Plan({Node(5, "multi-join")});
  EXPECT_EQ(GradeLab(folder, Orders())[4].reason,
            "cascade-plan.json: 0 regular joins in it, expected 2");
}

TEST(LabGrade, WindowPlanAndRows) {
  LabFolder folder = Good();
  folder.window_plan = Plan({Node(1, "group-aggregate")});
  EXPECT_NE(OnlyFailure(folder, 6).find("no window aggregation in it"), std::string::npos);
  folder = Good();
  folder.window_out->rows[1].op = RowOp::kUpdateAfter;
  EXPECT_EQ(OnlyFailure(folder, 6),
            "window.out: line 5: a row that is not +I: a window gives each result once");
  folder = Good();
  folder.window_out->rows[1].cells[3] = "9.5";
  EXPECT_EQ(OnlyFailure(folder, 6),
            "window.out: line 5: the window at 1970-01-01 00:10:00 has 1 orders and 9.5, but the "
            "CSV gives 1 and 9");
  folder = Good();
  folder.window_out->rows.pop_back();
  EXPECT_EQ(OnlyFailure(folder, 6),
            "window.out: the window at 1970-01-01 00:10:00 is missing: not all windows of the CSV "
            "are there");
  folder = Good();
  folder.window_out->rows.push_back(folder.window_out->rows[0]);
  EXPECT_NE(OnlyFailure(folder, 6).find("is there twice"), std::string::npos);
  folder = Good();
  folder.window_out->rows[0].cells[1] = "1970-01-01 01:00:00.000";
  EXPECT_EQ(OnlyFailure(folder, 6), "window.out: line 4: not a window of 10 minutes");
}

TEST(LabGrade, DecimalsAndDoublesOfTheSameValueAreEqual) {
  LabFolder folder = Good();
  folder.window_out->rows[1].cells[3] = "9.00";
  folder.rocks_out->rows[2].cells[2] = "1.2E1";
  for (const LabStep& step : GradeLab(folder, Orders())) EXPECT_TRUE(step.passed) << step.reason;
}

TEST(LabGrade, RocksRows) {
  LabFolder folder = Good();
  folder.rocks_out->rows = {{RowOp::kInsert, 4, {"1", "2", "12"}},
                            {RowOp::kInsert, 5, {"2", "1", "9"}}};
  folder.rocks_out->announced = 2;
  EXPECT_EQ(OnlyFailure(folder, 7),
            "rocks.out: only +I rows, though users have several orders: a batch run, or not GROUP "
            "BY");
  folder = Good();
  folder.rocks_out->rows.erase(folder.rocks_out->rows.begin() + 1);
  folder.rocks_out->announced = 3;
  folder.report->rocks_groups = 3;
  EXPECT_EQ(OnlyFailure(folder, 7),
            "rocks.out: line 4: user 1 has 1 orders and 5, but the CSV gives 2 and 12");
  folder = Good();
  folder.rocks_out->rows.push_back({RowOp::kInsert, 8, {"2", "1", "9"}});
  folder.rocks_out->announced = 5;
  folder.report->rocks_groups = 3;
  EXPECT_EQ(OnlyFailure(folder, 7),
            "rocks.out: line 8: user 2 has another row left, of line 7: the changelog lacks a -U "
            "row");
  folder = Good();
  folder.rocks_job->type = "BATCH";
  EXPECT_EQ(OnlyFailure(folder, 7), "rocks-job.json: a batch job: run it in streaming");
}

TEST(LabReport, FactsOfTheArtefacts) {
  const auto report = MakeLabReport(Good());
  ASSERT_TRUE(report.ok()) << report.error().ToString();
  EXPECT_TRUE(CheckClaims(*Good().report, *report).ok());
}

TEST(LabReport, EachClaimIsCompared) {
  const LabReport facts = *Good().report;
  const auto expect = [&](auto change, const std::string& start) {
    LabReport claims = facts;
    change(claims);
    const Status checked = CheckClaims(claims, facts);
    ASSERT_FALSE(checked.ok()) << start;
    EXPECT_EQ(checked.error().message.substr(0, start.size()), start);
  };
  expect([](LabReport& r) { r.default_ttl = "1 d"; },
         "default_ttl is '1 d', but the artefacts say '0 ms'");
  expect([](LabReport& r) { r.join_left_ttl = "x"; }, "join_left_ttl is");
  expect([](LabReport& r) { r.join_right_ttl = "x"; }, "join_right_ttl is");
  expect([](LabReport& r) { r.cascade_second_left_ttl = ""; }, "cascade_second_left_ttl is");
  expect([](LabReport& r) { r.state_backend = "x"; }, "state_backend is");
  expect([](LabReport& r) { r.window_state_entries = 1; },
         "window_state_entries is 1, but the artefacts say 0");
  expect([](LabReport& r) { r.rocks_groups = 1; }, "rocks_groups is 1, but the artefacts say 2");
}

TEST(LabReport, AnArtefactThatLacksItIsNamed) {
  LabFolder folder = Good();
  folder.agg_plan = Plan({Node(1, "calc")});
  EXPECT_EQ(MakeLabReport(folder).error().ToString(),
            "agg-plan.json: no groupAggregateState in it");
  folder = Good();
  folder.cascade_plan = Plan({Join(5, "1 d", "2 h")});
  EXPECT_EQ(MakeLabReport(folder).error().ToString(),
            "cascade-plan.json: fewer than two joins in it");
  folder = Good();
  folder.join_hint_plan = Plan({Join(5, "1 d", "2 h"), Join(6, "1 d", "2 h")});
  EXPECT_EQ(MakeLabReport(folder).error().ToString(),
            "join-hint-plan.json: more than one leftState in it");
}

}  // namespace
}  // namespace fss
