#include "exporters/text/diff_text.h"

#include <array>
#include <string_view>

#include "exporters/text/cells.h"
#include "exporters/text/layout.h"
#include "exporters/text/style.h"

namespace fss {
namespace {

constexpr std::size_t kDiffFileColumns = 60;
constexpr std::size_t kFlinkColumns = 20;
// "compatible" and two blanks; all that follows the first line stands below the sentence.
constexpr std::size_t kMessageIndent = 12;

// As the severity that it would have as a finding.
Severity SeverityOf(RestoreOutcome outcome) {
  if (IsIncompatible(outcome)) {
    return Severity::kCritical;
  }
  return outcome == RestoreOutcome::kMigrates ? Severity::kWarning : Severity::kInfo;
}

std::string OperatorCell(const PlanChange& change) {
  std::string cell = FitColumns(change.label, kOperatorColumns);
  const bool renumbered =
      change.node_id_old && change.node_id_new && *change.node_id_old != *change.node_id_new;
  return renumbered ? cell + " (was " + std::to_string(*change.node_id_old) + ")" : cell;
}

// "for ever -> 1 h", "1 d"; empty where neither plan tells it.
std::string TtlsCell(const PlanChange& change) {
  if (!change.old_ttl_ms && !change.new_ttl_ms) {
    return {};
  }
  std::string before = TtlCell(change.old_ttl_ms, /*suspicious=*/false);
  std::string now = TtlCell(change.new_ttl_ms, /*suspicious=*/false);
  switch (change.change) {
    case PlanChangeKind::kAdded:
      return now;
    case PlanChangeKind::kRemoved:
      return before;
    case PlanChangeKind::kTtl:
    case PlanChangeKind::kDescription:
      break;
  }
  return before == now ? now : before + " -> " + now;
}

void AppendMessages(const PlanDiff& diff, const TextOptions& options, std::string* out) {
  const Style style(options.color);
  for (const PlanChange& change : diff.changes) {
    const std::string_view restore = RestoreOutcomeName(change.restore);
    out->push_back('\n');
    out->append(style.OfSeverity(SeverityOf(change.restore), restore));
    out->append(kMessageIndent - restore.size(), ' ');
    AppendWrapped(change.message, kMessageIndent, kMessageIndent, options.width, out);
    out->push_back('\n');
  }
}

// "4 changes: 1 refused, 2 lost, 1 compatible".
std::string Summary(const PlanDiff& diff) {
  constexpr std::array kOrder = {RestoreOutcome::kRefused, RestoreOutcome::kLost,
                                 RestoreOutcome::kMigrates, RestoreOutcome::kNew,
                                 RestoreOutcome::kCompatible};
  std::string parts;
  for (const RestoreOutcome outcome : kOrder) {
    std::size_t count = 0;
    for (const PlanChange& change : diff.changes) {
      count += change.restore == outcome ? 1 : 0;
    }
    if (count > 0) {
      parts.append(parts.empty() ? "" : ", ").append(std::to_string(count)).append(" ");
      parts.append(RestoreOutcomeName(outcome));
    }
  }
  const std::size_t total = diff.changes.size();
  return std::to_string(total) + (total == 1 ? " change: " : " changes: ") + parts;
}

}  // namespace

std::string DiffText(const PlanDiff& diff, const TextOptions& options) {
  const Style style(options.color);
  std::string out = style.Bold(FitColumns(diff.old_file, kDiffFileColumns) + " -> " +
                               FitColumns(diff.new_file, kDiffFileColumns));
  if (!diff.flink_version.empty()) {
    out.append("  Flink ").append(FitColumns(diff.flink_version, kFlinkColumns));
  }
  out.append("\n\n");
  if (diff.changes.empty()) {
    return out.append("no difference in what keeps state, and for how long\n");
  }
  TextTable table({"OPERATOR", "STATE", "CHANGE", "TTL", "RESTORE"});
  for (const PlanChange& change : diff.changes) {
    table.AddRow({OperatorCell(change), FitColumns(change.state, kStateColumns),
                  PlanChangeName(change.change), TtlsCell(change),
                  RestoreOutcomeName(change.restore)});
  }
  out.append(table.Render(0));
  AppendMessages(diff, options, &out);
  return out.append("\n").append(Summary(diff)).append("\n");
}

}  // namespace fss
