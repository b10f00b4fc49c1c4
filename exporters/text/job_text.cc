#include "exporters/text/job_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "exporters/text/cells.h"
#include "exporters/text/layout.h"
#include "exporters/text/style.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kNameColumns = 60;
constexpr std::size_t kWordColumns = 40;  // a state, a version, a backend
constexpr std::size_t kPlanColumns = 60;
constexpr std::size_t kHeaderIndent = 4;

// "RocksDB" for "EmbeddedRocksDBStateBackend": what people call it. Others without the suffix.
std::string BackendName(std::string_view backend) {
  if (backend.find("RocksDB") != std::string_view::npos) {
    return "RocksDB";
  }
  if (backend.starts_with("HashMap")) {
    return "hashmap";
  }
  constexpr std::string_view kSuffix = "StateBackend";
  if (backend.size() > kSuffix.size() && backend.ends_with(kSuffix)) {
    backend.remove_suffix(kSuffix.size());
  }
  return FitColumns(backend, kWordColumns);
}

std::string BackendPart(const JobReport& job) {
  if (!job.config || job.config->state_backend.empty()) {
    return {};
  }
  std::string part = BackendName(job.config->state_backend);
  if (job.incremental) {
    part.append(*job.incremental ? ", incremental" : ", full");
  }
  if (job.config->changelog.value_or(false)) {
    part.append(", changelog");
  }
  if (job.config->unaligned.value_or(false)) {
    part.append(", unaligned");
  }
  return part;
}

std::string CheckpointPart(const JobReport& job) {
  if (!job.checkpoint_id) {
    if (job.config && !job.config->interval_ms) {
      return "checkpoints off";
    }
    return job.counts ? "no completed checkpoint yet" : "checkpoints not known";
  }
  std::string details;
  if (job.checkpoint_age_ms) {
    details.append(FormatAge(*job.checkpoint_age_ms)).append(" ago");
  }
  if (job.checkpoint_state_size) {
    details.append(details.empty() ? "" : ", ").append(FormatBytes(*job.checkpoint_state_size));
  }
  std::string part = "checkpoint " + std::to_string(*job.checkpoint_id);
  return details.empty() ? part : part.append(" (").append(details).append(")");
}

std::string PlanPart(const JobReport& job) {
  if (job.plan.empty()) {
    return "no plan";
  }
  std::string part = "plan " + FitColumns(job.plan, kPlanColumns);
  return part.append(" by ").append(MatchedByName(job.plan_matched_by));
}

std::vector<std::string> HeaderParts(const JobReport& job) {
  std::vector<std::string> parts = {job.name.empty() ? FitColumns(job.id, kNameColumns)
                                                     : FitColumns(job.name, kNameColumns)};
  const auto add = [&parts](std::string part) {
    if (!part.empty()) {
      parts.push_back(std::move(part));
    }
  };
  add(FitColumns(job.state, kWordColumns));
  if (job.terminal) {
    add("ended");
    return parts;
  }
  if (job.tasks_running && job.tasks_total && *job.tasks_running < *job.tasks_total) {
    add(std::to_string(*job.tasks_running) + " of " + std::to_string(*job.tasks_total) +
        " tasks running");
  }
  add(FitColumns(job.flink_version, kWordColumns));
  add(BackendPart(job));
  add(CheckpointPart(job));
  add(PlanPart(job));
  return parts;
}

std::string SizeCell(const std::optional<std::int64_t>& bytes) {
  return bytes ? FormatBytes(*bytes) : std::string();
}

void AddOperatorRows(const OperatorReport& op, TextTable* table) {
  const std::string label = FitColumns(op.label, kOperatorColumns);
  if (op.state.empty()) {
    table->AddRow({label, CleanupCell(op.cleanup, op.node_id.has_value()),
                   TtlCellWithoutEntries(op.cleanup), SizeCell(op.size_bytes), GrowthCell(op.trend),
                   VerdictCell(op.trend, op.seconds_until_full)});
    return;
  }
  // Where RocksDB tells the entries apart each has figures of its own, else the first row has the
  // operator's.
  const bool apart = std::ranges::any_of(
      op.state, [](const EntryReport& entry) { return entry.live_bytes.has_value(); });
  bool first = true;
  for (const EntryReport& entry : op.state) {
    const bool own = apart && entry.trend.verdict != Verdict::kUnknown;
    const bool show = own || first;
    const Trend& trend = own ? entry.trend : op.trend;
    const auto& until_full = own ? entry.seconds_until_full : op.seconds_until_full;
    std::string size = first ? SizeCell(op.size_bytes) : std::string();
    if (apart) {
      size = SizeCell(entry.live_bytes);
    }
    table->AddRow({first ? label : std::string(), FitColumns(entry.name, kStateColumns),
                   TtlCell(entry.ttl_ms, entry.suspicious_ttl, entry.ttl_enabled), std::move(size),
                   show ? GrowthCell(trend) : std::string(),
                   show ? VerdictCell(trend, until_full) : std::string()});
    first = false;
  }
}

}  // namespace

void AppendJob(const JobReport& job, const TextOptions& options, std::string* out) {
  std::string header;
  AppendParts(HeaderParts(job), kHeaderIndent, options.width, &header);
  header.pop_back();
  out->append(Style(options.color).Bold(header)).append("\n");
  if (job.terminal) {
    return;
  }
  TextTable table({"OPERATOR", "STATE", "TTL", "SIZE", "GROWTH", "VERDICT"});
  Leftovers leftovers;
  for (const OperatorReport& op : job.operators) {
    if (HasOwnRows(op.state.size(), op.cleanup)) {
      AddOperatorRows(op, &table);
    } else {
      leftovers.Add(op.kind, op.size_bytes);
    }
  }
  if (leftovers.any()) {
    table.AddNote(leftovers.Who(), leftovers.What());
  }
  out->push_back('\n');
  if (job.operators.empty()) {
    out->append("no operators known\n");
  } else {
    out->append(table.Render(0));
  }
}

}  // namespace fss
