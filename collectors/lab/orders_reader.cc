#include "collectors/lab/orders_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "collectors/lab/malformed.h"
#include "sidecar/base/sql_timestamp.h"

namespace fss {
namespace {

constexpr std::size_t kFields = 4;
constexpr std::size_t kMaxIdDigits = 19;

// Four fields, or absent.
std::optional<std::array<std::string_view, kFields>> Split(std::string_view line) {
  std::array<std::string_view, kFields> fields;
  for (std::size_t i = 0; i < kFields; ++i) {
    const auto comma = line.find(',');
    if ((comma == std::string_view::npos) != (i == kFields - 1)) return std::nullopt;
    fields[i] = line.substr(0, comma);
    line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
  }
  return fields;
}

bool IsId(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= kMaxIdDigits &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Result<LabOrder> ReadOrder(std::string_view text, int line) {
  const auto fields = Split(text);
  if (!fields) return MalformedLab(line, "not four fields: order_id, user_id, amount, ts");
  if (!IsId((*fields)[0])) return MalformedLab(line, "order_id is not an integer");
  if (!IsId((*fields)[1])) return MalformedLab(line, "user_id is not an integer");
  const Result<Decimal> amount = Decimal::Parse((*fields)[2]);
  if (!amount.ok()) return MalformedLab(line, "amount is " + amount.error().message);
  const auto time_ms = ParseSqlTimestamp((*fields)[3]);
  if (!time_ms) return MalformedLab(line, "ts is not a time such as 2026-01-01 00:00:25");
  return LabOrder{std::string((*fields)[1]), *amount, *time_ms};
}

}  // namespace

Result<std::vector<LabOrder>> ReadOrders(std::string_view text) {
  if (text.size() > kMaxOrdersBytes) {
    return Error{ErrorCode::kTooLarge, "larger than " + std::to_string(kMaxOrdersBytes) + " bytes",
                 ""};
  }
  std::vector<LabOrder> orders;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    Result<LabOrder> order = ReadOrder(line, number);
    if (!order.ok()) return order.error();
    orders.push_back(*std::move(order));
  }
  if (orders.empty()) return Error{ErrorCode::kMalformed, "no orders in it", ""};
  return orders;
}

}  // namespace fss
