#include "exporters/json/job_json.h"

namespace fss {
namespace {

void WriteEntry(const EntryReport& entry, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("name", entry.name);
  if (entry.ttl_ms) {
    writer->Int("ttl_ms", *entry.ttl_ms);
    writer->Bool("forever", *entry.ttl_ms == 0);
  }
  if (entry.suspicious_ttl) {
    writer->Bool("suspicious_ttl", true);
  }
  writer->EndObject();
}

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
  writer->Text("verdict", VerdictName(op.trend.verdict));
  writer->BeginArray("state");
  for (const EntryReport& entry : op.state) {
    WriteEntry(entry, writer);
  }
  writer->EndArray();
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
