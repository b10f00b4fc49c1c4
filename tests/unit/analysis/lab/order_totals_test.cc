#include "sidecar/analysis/lab/order_totals.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace fss {
namespace {

LabOrder Order(std::string user, const char* amount, std::int64_t time_ms) {
  return {std::move(user), Decimal::Parse(amount).value(), time_ms};
}

TEST(OrderTotals, WindowsBeginAtMultiplesOfTheirSize) {
  const std::vector<LabOrder> orders = {
      Order("1", "1", 0), Order("1", "0.1", kLabWindowMs - 1), Order("2", "0.2", kLabWindowMs),
      Order("2", "0.1", 2 * kLabWindowMs - 1), Order("3", "5", -1)};
  const auto windows = WindowTotals(orders);
  ASSERT_TRUE(windows.ok());
  ASSERT_EQ(windows->size(), 3U);
  EXPECT_EQ(windows->at(-kLabWindowMs), (OrderTotal{1, Decimal(5)}));
  EXPECT_EQ(windows->at(0), (OrderTotal{2, Decimal::Parse("1.1").value()}));
  EXPECT_EQ(windows->at(kLabWindowMs), (OrderTotal{2, Decimal::Parse("0.3").value()}));
}

TEST(OrderTotals, Users) {
  const std::vector<LabOrder> orders = {Order("1", "1", 0), Order("2", "2", 1), Order("1", "3", 2)};
  const auto users = UserTotals(orders);
  ASSERT_TRUE(users.ok());
  ASSERT_EQ(users->size(), 2U);
  EXPECT_EQ(users->at("1"), (OrderTotal{2, Decimal(4)}));
  EXPECT_EQ(users->at("2"), (OrderTotal{1, Decimal(2)}));
}

TEST(OrderTotals, ASumThatDoesNotFitIsAnError) {
  const std::vector<LabOrder> orders(2,
                                     {"1", Decimal(std::numeric_limits<std::int64_t>::max()), 0});
  EXPECT_EQ(WindowTotals(orders).error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(UserTotals(orders).error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace fss
