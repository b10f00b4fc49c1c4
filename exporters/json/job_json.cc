#include "exporters/json/job_json.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

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

std::string_view FullOfName(FullOf full_of) {
  switch (full_of) {
    case FullOf::kHeap:
      return "heap";
    case FullOf::kDisk:
      return "disk";
    case FullOf::kJobLimit:
      return "job limit";
    case FullOf::kNothing:
      break;
  }
  return {};
}

// "size_history":[[time, bytes]…]
void WriteSizeHistory(const JobReport& job, std::size_t op, JsonWriter* writer) {
  if (job.size_history == nullptr) return;
  const auto points = job.size_history->Of(op);
  if (points.empty()) return;
  constexpr std::int64_t kMillis = 1000;
  writer->BeginArray("size_history");
  for (const SizeOverTime& point : points) {
    writer->BeginArray();
    writer->Element(job.size_history->begin_ms() + point.seconds * kMillis);
    writer->Element(std::llround(std::clamp(static_cast<double>(point.bytes), 0.0, 9e18)));
    writer->EndArray();
  }
  writer->EndArray();
}

// "inputs":[places in "operators"…], left first.
void WriteInputs(const JobReport& job, std::size_t op, JsonWriter* writer) {
  if (job.edges == nullptr) return;
  writer->BeginArray("inputs");
  const auto to = static_cast<std::uint32_t>(op);
  auto edge = std::ranges::lower_bound(*job.edges, to, {}, &OperatorEdge::to);
  for (; edge != job.edges->end() && edge->to == to; ++edge) {
    writer->Element(std::int64_t{edge->from});
  }
  writer->EndArray();
}

void WriteOperator(const JobReport& job, std::size_t place, JsonWriter* writer) {
  const OperatorReport& op = job.operators[place];
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
  writer->TextIfAny("full_of", FullOfName(op.full_of));
  WriteInputs(job, place, writer);
  WriteSizeHistory(job, place, writer);
  writer->BeginArray("state");
  for (const EntryReport& entry : op.state) {
    WriteEntry(entry, writer);
  }
  writer->EndArray();
  writer->EndObject();
}

// The operator that fills first, as far as it names and measures it.
void WriteFillsFirst(const JobReport& job, JsonWriter* writer) {
  if (!job.fills_first || *job.fills_first >= job.operators.size()) return;
  const OperatorReport& op = job.operators[*job.fills_first];
  writer->BeginObject("fills_first");
  writer->Text("vertex_id", op.vertex_id);
  writer->IntIfAny("node_id", op.node_id);
  writer->Text("operator", op.label);
  writer->Text("kind", op.kind);
  writer->IntIfAny("size_bytes", op.size_bytes);
  writer->Text("verdict", VerdictName(op.trend.verdict));
  WriteTrend(op.trend, op.seconds_until_full, writer);
  writer->TextIfAny("full_of", FullOfName(op.full_of));
  WriteSizeHistory(job, *job.fills_first, writer);
  writer->EndObject();
}

void WriteFindingCounts(const FindingCounts& counts, JsonWriter* writer) {
  writer->BeginObject("finding_counts");
  for (const Severity severity : {Severity::kCritical, Severity::kWarning, Severity::kInfo}) {
    writer->Int(SeverityName(severity), counts.by_severity[static_cast<std::size_t>(severity)]);
  }
  writer->Int("acknowledged", counts.acknowledged);
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

void WriteJob(const JobReport& job, JobDetail detail, JsonWriter* writer,
              const FindingCounts* findings) {
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
  WriteFillsFirst(job, writer);
  if (findings != nullptr) WriteFindingCounts(*findings, writer);
  if (detail == JobDetail::kWithOperators) {
    writer->BeginArray("operators");
    for (std::size_t place = 0; place < job.operators.size(); ++place) {
      WriteOperator(job, place, writer);
    }
    writer->EndArray();
  }
  writer->EndObject();
}

}  // namespace fss
