#include "exporters/text/lint_text.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/text/cells.h"
#include "exporters/text/findings_text.h"
#include "exporters/text/layout.h"
#include "exporters/text/style.h"

namespace fss {
namespace {

constexpr std::size_t kFileColumns = 80;
constexpr std::size_t kVersionColumns = 20;
constexpr std::size_t kLineIndent = 4;
// So many operators of a kind are named where expiry is told; the table has them all.
constexpr std::size_t kOperatorsNamed = 6;
constexpr std::size_t kRowsColumns = 40;

std::string Label(const LintedOperator& op) {
  const std::string label =
      op.label.empty() ? op.kind + "[" + std::to_string(op.node_id) + "]" : op.label;
  return FitColumns(label, kOperatorColumns);
}

// An entry whose text Flink would refuse: the text itself tells more than a question mark.
std::string EntryTtl(const LintedEntry& entry) {
  if (entry.ttl_ms || entry.ttl.empty()) {
    return TtlCell(entry.ttl_ms, entry.suspicious_ttl);
  }
  return "\"" + FitColumns(entry.ttl, kVersionColumns) + "\" ?";
}

std::string EntryCleanup(const LintedEntry& entry) {
  if (!entry.ttl_ms) return "not known";
  return *entry.ttl_ms == 0 ? "never" : "by TTL";
}

std::string Listed(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text.append(text.empty() ? "" : ", ").append(item);
    if (text.size() > kRowsColumns) break;  // the rest would be cut
  }
  return text;
}

// "orders by order_id": which tables' rows it keeps, by which columns.
std::string RowsCell(const LintedEntry& entry) {
  std::string cell = Listed(entry.tables);
  if (!entry.keys.empty()) cell += (cell.empty() ? "by " : " by ") + Listed(entry.keys);
  return FitColumns(cell, kRowsColumns);
}

void AddRows(const LintedOperator& op, TextTable* table) {
  if (op.state.empty()) {
    table->AddRow({Label(op), std::string(), TtlCellWithoutEntries(op.cleanup),
                   CleanupCell(op.cleanup, /*in_plan=*/true), std::string()});
    return;
  }
  bool first = true;
  for (const LintedEntry& entry : op.state) {
    table->AddRow({first ? Label(op) : std::string(), FitColumns(entry.name, kStateColumns),
                   EntryTtl(entry), EntryCleanup(entry), RowsCell(entry)});
    first = false;
  }
}

// The operators of the plan that one text on expiry is about.
struct Expiry {
  std::string_view what;
  std::string operators;
  std::size_t count = 0;
};

std::vector<Expiry> ExpiriesOf(const LintedPlan& plan) {
  std::vector<Expiry> expiries;
  for (const LintedOperator& op : plan.operators) {
    if (op.expiry.empty()) continue;
    auto known = std::ranges::find(expiries, op.expiry, &Expiry::what);
    if (known == expiries.end()) known = expiries.insert(known, {op.expiry, {}, 0});
    if (++known->count > kOperatorsNamed) continue;
    known->operators.append(known->count == 1 ? "" : ", ").append(Label(op));
  }
  return expiries;
}

void AppendExpiry(const LintedPlan& plan, const TextOptions& options, std::string* out) {
  const std::vector<Expiry> expiries = ExpiriesOf(plan);
  if (expiries.empty()) return;
  out->append("\nWhen state expires:\n");
  for (const auto& [what, operators, count] : expiries) {
    std::string line = operators;
    if (count > kOperatorsNamed) {
      line.append(" and ").append(std::to_string(count - kOperatorsNamed)).append(" more");
    }
    line.append(": ").append(what).push_back('.');
    out->append(kLineIndent, ' ');
    AppendWrapped(line, kLineIndent, 2 * kLineIndent, options.width, out);
    out->push_back('\n');
  }
}

// Rows that are too long for `width` are cut: their last cell tells what the findings tell too.
void AppendTable(const LintedPlan& plan, std::size_t width, std::string* out) {
  TextTable table({"OPERATOR", "STATE", "TTL", "CLEANED", "ROWS OF"});
  Leftovers leftovers;
  for (const LintedOperator& op : plan.operators) {
    if (HasOwnRows(op.state.size(), op.cleanup)) {
      AddRows(op, &table);
    } else {
      leftovers.Add(op.kind, std::nullopt);
    }
  }
  if (leftovers.any()) {
    table.AddNote(leftovers.Who(), leftovers.What());
  }
  out->push_back('\n');
  std::istringstream rows(table.Render(0));
  for (std::string row; std::getline(rows, row);) {
    out->append(FitColumns(row, width)).push_back('\n');
  }
}

void AppendPlan(const LintedPlan& plan, const TextOptions& options, FindingCounts* counts,
                std::string* out) {
  const Style style(options.color);
  const std::string file = FitColumns(plan.file, kFileColumns);
  out->append(style.Bold(file));
  if (!plan.error.empty()) {
    const std::string line = "cannot be read as a plan: " + plan.error;
    out->append("  ");
    AppendWrapped(line, file.size() + 2, kLineIndent, options.width, out);
    out->push_back('\n');
    return;
  }
  if (!plan.flink_version.empty()) {
    out->append("  Flink ").append(FitColumns(plan.flink_version, kVersionColumns));
  }
  out->append("\n");
  if (plan.operators.empty()) {
    out->append("\nno operators\n");
  } else {
    AppendTable(plan, options.width, out);
    AppendExpiry(plan, options, out);
  }
  for (const Finding& finding : plan.findings) {
    counts->Add(finding);
    out->push_back('\n');
    AppendFinding(finding, options, out);
  }
}

}  // namespace

std::string LintText(std::span<const LintedPlan> plans, const TextOptions& options) {
  std::string out;
  FindingCounts counts;
  for (const LintedPlan& plan : plans) {
    if (!out.empty()) {
      out.push_back('\n');
    }
    AppendPlan(plan, options, &counts, &out);
  }
  if (const std::string summary = counts.ToString(); !summary.empty()) {
    out.append("\n").append(summary).append("\n");
  }
  return out;
}

}  // namespace fss
