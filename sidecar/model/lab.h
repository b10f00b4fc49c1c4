// What the lab report is made of: the artefacts of the eight steps as read, and what is said of
// them (docs/user/lab.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/base/decimal.h"
#include "sidecar/base/result.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

// The files of a lab folder.
inline constexpr std::string_view kCalcPlanFile = "calc-plan.json";
inline constexpr std::string_view kAggPlanFile = "agg-plan.json";
inline constexpr std::string_view kAggTtlPlanFile = "agg-ttl-plan.json";
inline constexpr std::string_view kJoinHintPlanFile = "join-hint-plan.json";
inline constexpr std::string_view kCascadePlanFile = "cascade-plan.json";
inline constexpr std::string_view kWindowPlanFile = "window-plan.json";
inline constexpr std::string_view kWindowOutFile = "window.out";
inline constexpr std::string_view kRocksOutFile = "rocks.out";
inline constexpr std::string_view kRocksJobFile = "rocks-job.json";
inline constexpr std::string_view kRocksCheckpointsFile = "rocks-ckpt.json";
inline constexpr std::string_view kLabReportFile = "report.json";
// Of the folder with the sources.
inline constexpr std::string_view kOrdersFile = "state_orders.csv";

// The SQL client's op column.
enum class RowOp { kInsert, kUpdateBefore, kUpdateAfter, kDelete };

struct TableauRow {
  RowOp op = RowOp::kInsert;
  int line = 0;                    // 1-based, in the file
  std::vector<std::string> cells;  // without white space around them; as many as columns
};

// One result in the SQL client's tableau mode.
struct TableauResult {
  std::vector<std::string> columns;  // without `op`
  std::vector<TableauRow> rows;
  std::optional<std::int64_t> announced;  // "Received a total of N rows", where it is there
};

struct LabJob {
  std::string name;
  std::string type;  // "STREAMING", "BATCH"; empty where the answer has none (Flink before 2.0)
};

struct LabOrder {
  std::string user;  // the text of the CSV
  Decimal amount;
  std::int64_t time_ms = 0;  // ts, milliseconds since 1970 as if it were UTC
};

// The lab report: what `report` prints, and what report.json claims.
struct LabReport {
  std::string default_ttl;
  std::string join_left_ttl;
  std::string join_right_ttl;
  std::string cascade_second_left_ttl;
  std::int64_t window_state_entries = 0;
  std::string state_backend;
  std::int64_t rocks_groups = 0;
};

// Each file by itself: one that is missing or broken is an Error whose context is its path.
struct LabFolder {
  Result<CompiledPlan> calc_plan;
  Result<CompiledPlan> agg_plan;
  Result<CompiledPlan> agg_ttl_plan;
  Result<CompiledPlan> join_hint_plan;
  Result<CompiledPlan> cascade_plan;
  Result<CompiledPlan> window_plan;
  Result<TableauResult> window_out;
  Result<TableauResult> rocks_out;
  Result<LabJob> rocks_job;
  Result<std::string> rocks_backend;  // "EmbeddedRocksDBStateBackend"
  Result<LabReport> report;
};

struct LabStep {
  int number = 0;    // 1 to 8
  std::string name;  // "filter", "group-by", …
  bool passed = false;
  std::string reason;  // one line: what was found, and where it failed what it should be and why
};

}  // namespace fss
