#include "exporters/json/job_json.h"

#include <algorithm>
#include <cmath>

namespace fss {
namespace {

// Bytes are integers.
std::optional<std::int64_t> Whole(const std::optional<double>& bytes) {
  constexpr double kMost = 9e18;
  if (!bytes) return std::nullopt;
  return std::llround(std::clamp(*bytes, -kMost, kMost));
}

}  // namespace

void WriteTrend(const Trend& trend, const std::optional<std::int64_t>& seconds_until_full,
                JsonWriter* writer) {
  writer->NumberIfAny("growth_bytes_per_second", trend.bytes_per_second);
  writer->IntIfAny("level_bytes", Whole(trend.level_bytes));
  writer->IntIfAny("plateau_bytes", Whole(trend.plateau_bytes));
  if (trend.past_ttl) writer->Bool("past_ttl", true);
  writer->IntIfAny("seconds_until_full", seconds_until_full);
}

void WriteEntry(const EntryReport& entry, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("name", entry.name);
  if (entry.ttl_ms) {
    writer->Int("ttl_ms", *entry.ttl_ms);
    writer->Bool("forever", *entry.ttl_ms == 0);
  }
  writer->BoolIfAny("ttl_enabled", entry.ttl_enabled);
  if (entry.suspicious_ttl) {
    writer->Bool("suspicious_ttl", true);
  }
  writer->IntIfAny("live_bytes", entry.live_bytes);
  writer->IntIfAny("keys", entry.keys);
  if (entry.trend.verdict != Verdict::kUnknown) {
    writer->Text("verdict", VerdictName(entry.trend.verdict));
    WriteTrend(entry.trend, entry.seconds_until_full, writer);
  }
  writer->EndObject();
}

namespace {

void WriteOperator(const OperatorReport& op, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("vertex_id", op.vertex_id);
  writer->IntIfAny("node_id", op.node_id);
  writer->Text("operator", op.label);
  writer->Text("kind", op.kind);
  writer->Text("cleanup", CleanupName(op.cleanup));
  writer->Text("matched_by", MatchedByName(op.matched_by));
  writer->IntIfAny("size_bytes", op.size_bytes);
  writer->IntIfAny("checkpointed_bytes", op.checkpointed_bytes);
  writer->TextIfAny("operator_id", op.OwnId());
  writer->IntIfAny("operator_size_bytes", op.operator_bytes);
  writer->Text("verdict", VerdictName(op.trend.verdict));
  WriteTrend(op.trend, op.seconds_until_full, writer);
  writer->BeginArray("state");
  for (const EntryReport& entry : op.state) {
    WriteEntry(entry, writer);
  }
  writer->EndArray();
  writer->EndObject();
}

void WriteHeap(const HeapReport& heap, JsonWriter* writer) {
  writer->BeginObject("heap");
  writer->Text("task_manager", heap.task_manager);
  writer->Int("floor_bytes", heap.floor);
  writer->Int("max_bytes", heap.max);
  writer->Int("state_bytes", heap.state_bytes);
  writer->NumberIfAny("heap_bytes_per_state_byte", heap.factor);
  writer->EndObject();
}

void WriteCheckpoints(const JobReport& job, JsonWriter* writer) {
  if (job.config) {
    writer->TextIfAny("state_backend", job.config->state_backend);
    writer->TextIfAny("checkpoint_storage", job.config->checkpoint_storage);
    writer->IntIfAny("checkpoint_interval_ms", job.config->interval_ms);
    writer->BoolIfAny("unaligned", job.config->unaligned);
    writer->BoolIfAny("changelog", job.config->changelog);
  }
  writer->BoolIfAny("incremental", job.incremental);
  writer->IntIfAny("checkpoint_id", job.checkpoint_id);
  writer->IntIfAny("checkpoint_trigger_ms", job.checkpoint_trigger_ms);
  writer->IntIfAny("checkpoint_age_ms", job.checkpoint_age_ms);
  writer->IntIfAny("checkpoint_state_size", job.checkpoint_state_size);
  writer->IntIfAny("checkpoint_read_id", job.checkpoint_read_id);
  if (job.counts) {
    writer->Int("checkpoints_completed", job.counts->completed);
    writer->Int("checkpoints_failed", job.counts->failed);
  }
}

}  // namespace

void WriteJob(const JobReport& job, JobDetail detail, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("cluster", job.cluster);
  writer->Text("job_id", job.id);
  writer->Text("name", job.name);
  writer->Text("state", job.state);
  writer->Bool("terminal", job.terminal);
  if (job.start_ms > 0) {
    writer->Int("start_ms", job.start_ms);
  }
  writer->TextIfAny("flink_version", job.flink_version);
  WriteCheckpoints(job, writer);
  writer->IntIfAny("tasks_total", job.tasks_total);
  writer->IntIfAny("tasks_running", job.tasks_running);
  if (!job.plan.empty()) {
    writer->Text("plan", job.plan);
    writer->Text("plan_matched_by", MatchedByName(job.plan_matched_by));
  }
  writer->IntIfAny("state_limit_bytes", job.state_limit_bytes);
  if (job.heap) {
    WriteHeap(*job.heap, writer);
  }
  if (detail == JobDetail::kWithOperators) {
    writer->BeginArray("operators");
    for (const OperatorReport& op : job.operators) {
      WriteOperator(op, writer);
    }
    writer->EndArray();
  }
  writer->EndObject();
}

}  // namespace fss
