#include "sidecar/analysis/lab/changelog.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <utility>

#include "sidecar/analysis/lab/lab_failure.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kShownCellBytes = 60;

// Cells hold no control characters: they come from one line.
std::string KeyOf(const TableauRow& row) {
  std::string key;
  for (const std::string& cell : row.cells) key.append(cell).append("\n");
  return key;
}

std::string Shown(const TableauRow& row) {
  std::string text;
  for (const std::string& cell : row.cells) {
    if (!text.empty()) text += ", ";
    text += OneLine(cell, kShownCellBytes);
  }
  return text;
}

bool SameName(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

}  // namespace

Result<std::vector<const TableauRow*>> RowsLeft(const TableauResult& result) {
  std::unordered_map<std::string, std::vector<const TableauRow*>> left;
  for (const TableauRow& row : result.rows) {
    if (row.op == RowOp::kInsert || row.op == RowOp::kUpdateAfter) {
      left[KeyOf(row)].push_back(&row);
      continue;
    }
    const auto found = left.find(KeyOf(row));
    if (found == left.end()) {
      return LabFailure("line " + std::to_string(row.line) +
                        " takes away a row that is not there (" + Shown(row) +
                        "): the changelog lacks a row");
    }
    found->second.pop_back();
    if (found->second.empty()) left.erase(found);
  }
  const auto rows = static_cast<std::int64_t>(result.rows.size());
  if (result.announced && *result.announced != rows) {
    return LabFailure("it holds " + std::to_string(rows) + " rows, but the client counted " +
                      std::to_string(*result.announced));
  }
  std::vector<const TableauRow*> rows_left;
  for (const auto& [key, same] : left) {
    rows_left.insert(rows_left.end(), same.begin(), same.end());
  }
  return rows_left;
}

Result<std::vector<std::size_t>> FindColumns(const TableauResult& result,
                                             std::span<const std::string_view> names) {
  std::vector<std::size_t> places;
  std::string_view missing;
  for (const std::string_view name : names) {
    const auto found = std::ranges::find_if(
        result.columns, [&](const std::string& column) { return SameName(column, name); });
    if (found == result.columns.end() && missing.empty()) missing = name;
    places.push_back(static_cast<std::size_t>(found - result.columns.begin()));
  }
  if (missing.empty()) return places;
  if (result.columns.size() != names.size()) {
    return LabFailure("no column " + std::string(missing) + " in its result");
  }
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  return places;
}

Result<Decimal> NumberIn(const TableauRow& row, std::size_t column) {
  Result<Decimal> number = Decimal::Parse(row.cells[column]);
  if (number.ok()) return number;
  return LabFailure("line " + std::to_string(row.line) + ": '" +
                    OneLine(row.cells[column], kShownCellBytes) + "' is " + number.error().message);
}

}  // namespace fss
