#include "collectors/lab/orders_reader.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

std::string OrdersError(std::string_view text) {
  const auto orders = ReadOrders(text);
  return orders.ok() ? "" : orders.error().ToString();
}

TEST(OrdersReader, ReadsRows) {
  const auto orders =
      ReadOrders("1,10,3334,1970-01-01 00:00:25\r\n\n2,35,8.75,1970-01-01 00:01:22.5");
  ASSERT_TRUE(orders.ok()) << orders.error().ToString();
  ASSERT_EQ(orders->size(), 2U);
  EXPECT_EQ((*orders)[0].user, "10");
  EXPECT_EQ((*orders)[0].amount, Decimal(3334));
  EXPECT_EQ((*orders)[0].time_ms, 25'000);
  EXPECT_EQ((*orders)[1].amount.ToString(), "8.75");
  EXPECT_EQ((*orders)[1].time_ms, 82'500);
}

TEST(OrdersReader, NamesTheLine) {
  EXPECT_EQ(OrdersError(""), "no orders in it");
  EXPECT_EQ(OrdersError("order_id,user_id,amount,ts\n"), "line 1: order_id is not an integer");
  EXPECT_EQ(OrdersError("1,1,1,1970-01-01 00:00:00\n1,1,1\n"),
            "line 2: not four fields: order_id, user_id, amount, ts");
  EXPECT_EQ(OrdersError("1,1,1,1970-01-01 00:00:00,\n"),
            "line 1: not four fields: order_id, user_id, amount, ts");
  EXPECT_EQ(OrdersError("1,,1,1970-01-01 00:00:00\n"), "line 1: user_id is not an integer");
  EXPECT_EQ(OrdersError("1,1,x,1970-01-01 00:00:00\n"), "line 1: amount is not a number");
  EXPECT_EQ(OrdersError("1,1,1,1970-02-30 00:00:00\n"),
            "line 1: ts is not a time such as 2026-01-01 00:00:25");
}

TEST(OrdersReader, LimitIsKept) {
  EXPECT_EQ(ReadOrders(std::string(kMaxOrdersBytes + 1, '\n')).error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace fss
