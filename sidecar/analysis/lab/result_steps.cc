#include "sidecar/analysis/lab/result_steps.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "sidecar/analysis/lab/changelog.h"
#include "sidecar/analysis/lab/lab_failure.h"
#include "sidecar/analysis/lab/order_totals.h"
#include "sidecar/base/sql_timestamp.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::string_view kJobName = "flk-state-rocks";
constexpr std::string_view kBackend = "EmbeddedRocksDBStateBackend";
constexpr auto kWindowColumns =
    std::to_array<std::string_view>({"window_start", "window_end", "orders", "amount"});
constexpr auto kUserColumns = std::to_array<std::string_view>({"user_id", "orders", "total"});

std::string Lines(const TableauRow& row) { return "line " + std::to_string(row.line) + ": "; }

// Equal, or an Error that says how they differ. `what` is "user 7".
Status CheckTotal(const TableauRow& row, std::size_t orders_at, std::size_t amount_at,
                  const OrderTotal& expected, const std::string& what) {
  const Result<Decimal> orders = NumberIn(row, orders_at);
  if (!orders.ok()) return orders.error();
  const Result<Decimal> amount = NumberIn(row, amount_at);
  if (!amount.ok()) return amount.error();
  if (*orders == Decimal(expected.orders) && *amount == expected.amount) return OkStatus();
  return Error{ErrorCode::kMalformed,
               Lines(row) + what + " has " + orders->ToString() + " orders and " +
                   amount->ToString() + ", but the CSV gives " + std::to_string(expected.orders) +
                   " and " + expected.amount.ToString(),
               ""};
}

std::string WindowName(std::int64_t start) { return "the window at " + FormatSqlTimestamp(start); }

// Takes the row's window out of `open`.
Status CheckWindow(const TableauRow& row, const std::vector<std::size_t>& columns,
                   std::map<std::int64_t, OrderTotal>* open) {
  if (row.op != RowOp::kInsert) {
    return LabFailure("", Lines(row) + "a row that is not +I: a window gives each result once");
  }
  const auto start = ParseSqlTimestamp(row.cells[columns[0]]);
  const auto end = ParseSqlTimestamp(row.cells[columns[1]]);
  if (!start || !end) {
    return LabFailure("", Lines(row) + "window_start or window_end is no timestamp");
  }
  if (*end - *start != kLabWindowMs) {
    return LabFailure("", Lines(row) + "not a window of 10 minutes");
  }
  const auto expected = open->find(*start);
  if (expected == open->end()) {
    return LabFailure("",
                      Lines(row) + WindowName(*start) +
                          " is there twice, or has no orders in the CSV: another time zone or CSV");
  }
  const Status checked =
      CheckTotal(row, columns[2], columns[3], expected->second, WindowName(*start));
  if (!checked.ok()) return checked.error();
  open->erase(expected);
  return OkStatus();
}

Status CheckJob(const LabFolder& folder) {
  if (!folder.rocks_job.ok()) return folder.rocks_job.error();
  const LabJob& job = *folder.rocks_job;
  if (job.name != kJobName) {
    return LabFailure(kRocksJobFile, "the job is called '" + OneLine(job.name, kShownLabBytes) +
                                         "', expected " + std::string(kJobName) +
                                         ": SET 'pipeline.name' before the query");
  }
  if (job.type == "BATCH") return LabFailure(kRocksJobFile, "a batch job: run it in streaming");
  if (!folder.rocks_backend.ok()) return folder.rocks_backend.error();
  if (*folder.rocks_backend != kBackend) {
    return LabFailure(kRocksCheckpointsFile,
                      "state_backend is " + OneLine(*folder.rocks_backend, kShownLabBytes) +
                          ", expected " + std::string(kBackend) +
                          ": SET 'state.backend.type' = 'rocksdb' before the query");
  }
  return OkStatus();
}

// A stream updates a user's row with each further order; without updates it was no stream.
Status CheckUpdates(const TableauResult& out, const std::map<std::string, OrderTotal>& totals) {
  const bool updated =
      std::ranges::any_of(out.rows, [](const TableauRow& row) { return row.op != RowOp::kInsert; });
  const bool needed =
      std::ranges::any_of(totals, [](const auto& user) { return user.second.orders > 1; });
  if (updated || !needed) return OkStatus();
  return LabFailure("",
                    "only +I rows, though users have several orders: a batch run, or not GROUP BY");
}

Status CheckUsers(const TableauResult& out, std::map<std::string, OrderTotal> totals) {
  const auto columns = FindColumns(out, kUserColumns);
  if (!columns.ok()) return columns.error();
  const Status updates = CheckUpdates(out, totals);
  if (!updates.ok()) return updates.error();
  auto left = RowsLeft(out);
  if (!left.ok()) return left.error();
  std::ranges::sort(*left, {}, &TableauRow::line);
  std::map<std::string, int> lines;  // of the users seen
  for (const TableauRow* row : *left) {
    const std::string& user = row->cells[(*columns)[0]];
    const std::string name = "user " + OneLine(user, kShownLabBytes);
    const auto expected = totals.find(user);
    if (expected == totals.end()) {
      return LabFailure("", Lines(*row) + name + " is not in the CSV");
    }
    const auto [seen, first] = lines.emplace(user, row->line);
    if (!first) {
      return LabFailure("", Lines(*row) + name + " has another row left, of line " +
                                std::to_string(seen->second) + ": the changelog lacks a -U row");
    }
    const Status checked = CheckTotal(*row, (*columns)[1], (*columns)[2], expected->second, name);
    if (!checked.ok()) return checked.error();
  }
  if (lines.size() == totals.size()) return OkStatus();
  const auto missing =
      std::ranges::find_if(totals, [&](const auto& user) { return !lines.contains(user.first); });
  return LabFailure("", std::to_string(lines.size()) + " users at its end, but " +
                            std::to_string(totals.size()) + " in the CSV: user " + missing->first +
                            " is missing");
}

}  // namespace

Result<std::string> CheckWindowRows(const LabFolder& folder, std::span<const LabOrder> orders) {
  auto windows = WindowTotals(orders);
  if (!windows.ok()) return InLabFile(windows.error(), kOrdersFile);
  if (!folder.window_out.ok()) return folder.window_out.error();
  const TableauResult& out = *folder.window_out;
  const auto columns = FindColumns(out, kWindowColumns);
  if (!columns.ok()) return InLabFile(columns.error(), kWindowOutFile);
  for (const TableauRow& row : out.rows) {
    const Status checked = CheckWindow(row, *columns, &*windows);
    if (!checked.ok()) return InLabFile(checked.error(), kWindowOutFile);
  }
  if (!windows->empty()) {
    return LabFailure(kWindowOutFile, WindowName(windows->begin()->first) +
                                          " is missing: not all windows of the CSV are there");
  }
  return std::to_string(out.rows.size()) + " rows, all +I, equal the windows of the CSV";
}

Result<std::string> CheckRocks(const LabFolder& folder, std::span<const LabOrder> orders) {
  const Status job = CheckJob(folder);
  if (!job.ok()) return job.error();
  auto totals = UserTotals(orders);
  if (!totals.ok()) return InLabFile(totals.error(), kOrdersFile);
  const std::size_t users = totals->size();
  if (!folder.rocks_out.ok()) return folder.rocks_out.error();
  const Status checked = CheckUsers(*folder.rocks_out, *std::move(totals));
  if (!checked.ok()) return InLabFile(checked.error(), kRocksOutFile);
  return std::string(kJobName) + " on " + std::string(kBackend) + ": the last rows of " +
         std::to_string(users) + " users equal the CSV";
}

}  // namespace fss
