#include "exporters/text/checkpoint_text.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/text/cells.h"
#include "exporters/text/layout.h"
#include "exporters/text/style.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kPathColumns = 160;

std::string Counted(std::size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string Label(const CheckpointOperator& op) {
  const std::string& label = !op.name.empty() ? op.name : !op.uid.empty() ? op.uid : op.operator_id;
  return FitColumns(label, kOperatorColumns);
}

// Timers have no rows, operator state knows no TTL.
std::string SavedTtlCell(const CheckpointState& state) {
  if (state.scope == StateScope::kOperator || state.kind == StateKind::kTimers) return "-";
  if (!state.ttl_enabled) return "?";
  return *state.ttl_enabled ? "on" : "off";
}

struct StateRow {
  std::string state;
  std::string ttl;
};

std::vector<StateRow> RowsOf(const CheckpointOperator& op) {
  std::vector<StateRow> rows;
  std::size_t timers = 0;
  for (const CheckpointState& state : op.states) {
    if (state.kind == StateKind::kTimers) {
      ++timers;
    } else {
      rows.push_back({FitColumns(state.name, kStateColumns), SavedTtlCell(state)});
    }
  }
  if (!op.keyed_states_known) rows.push_back({"keyed, names not known", "?"});
  if (timers > 0) rows.push_back({Counted(timers, "timer queue"), "-"});
  return rows;
}

bool HasRows(const CheckpointOperator& op) {
  return op.size_bytes != 0 || !op.states.empty() || !op.keyed_states_known;
}

void AddRows(const CheckpointOperator& op, TextTable* table) {
  std::vector<StateRow> rows = RowsOf(op);
  if (rows.empty()) {
    rows.push_back({op.channel_bytes > 0 ? "in-flight data" : "coordinator's own", "-"});
  }
  bool first = true;
  for (StateRow& row : rows) {
    table->AddRow({first ? Label(op) : std::string(), std::move(row.state), std::move(row.ttl),
                   first ? FormatBytes(op.size_bytes) : std::string(),
                   first ? FormatBytes(op.checkpointed_bytes) : std::string()});
    first = false;
  }
}

// As many bytes as fit: a hostile file's sizes may add up to more than any disk holds.
void AddUp(std::int64_t bytes, std::int64_t* sum) {
  if (__builtin_add_overflow(*sum, bytes, sum)) *sum = std::numeric_limits<std::int64_t>::max();
}

std::string Header(const std::string& path, const CheckpointMetadata& metadata,
                   const Style& style) {
  std::string line = style.Bold(FitColumns(path, kPathColumns));
  line += metadata.savepoint == true ? "  savepoint " : "  checkpoint ";
  line += std::to_string(metadata.checkpoint_id);
  line += "  format " + std::to_string(metadata.version);
  line += "  " + Counted(metadata.operators.size(), "operator");
  return line + "\n";
}

}  // namespace

std::string CheckpointText(const std::string& path, const CheckpointMetadata& metadata,
                           const TextOptions& options) {
  std::vector<const CheckpointOperator*> shown;
  std::size_t stateless = 0;
  std::int64_t size = 0;
  std::int64_t written = 0;
  for (const CheckpointOperator& op : metadata.operators) {
    AddUp(op.size_bytes, &size);
    AddUp(op.checkpointed_bytes, &written);
    if (HasRows(op)) {
      shown.push_back(&op);
    } else {
      ++stateless;
    }
  }
  std::ranges::stable_sort(shown, std::ranges::greater(), &CheckpointOperator::size_bytes);

  std::string out = Header(path, metadata, Style(options.color));
  TextTable table({"OPERATOR", "STATE", "TTL", "SIZE", "WRITTEN"});
  for (const CheckpointOperator* op : shown) AddRows(*op, &table);
  if (stateless > 0) table.AddNote("others", Counted(stateless, "operator") + " without state");
  out.append("\n").append(table.Render(0));
  out.append("\nin all ").append(FormatBytes(size));
  out.append(", of which it wrote ").append(FormatBytes(written)).append("\n");
  return out;
}

}  // namespace fss
