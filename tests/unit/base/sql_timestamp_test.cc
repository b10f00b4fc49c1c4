#include "sidecar/base/sql_timestamp.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(SqlTimestamp, ReadsAndWrites) {
  EXPECT_EQ(ParseSqlTimestamp("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(ParseSqlTimestamp("2026-01-01 00:10:00.000"), 1767226200000);
  EXPECT_EQ(ParseSqlTimestamp("2026-01-01 00:10:00"), 1767226200000);
  EXPECT_EQ(ParseSqlTimestamp("1969-12-31 23:59:59.5"), -500);
  EXPECT_EQ(ParseSqlTimestamp("2024-02-29 23:59:59.123456789"), 1709251199123);
  for (const char* text :
       {"1969-12-31 23:59:59.500", "2024-02-29 23:59:59.123", "2026-01-01 00:10:00",
        "0000-01-01 00:00:00", "9999-12-31 23:59:59.001"}) {
    EXPECT_EQ(FormatSqlTimestamp(ParseSqlTimestamp(text).value()), text);
  }
}

TEST(SqlTimestamp, RefusesTheRest) {
  for (const char* text :
       {"", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-02-29 00:00:00",
        "2026-13-01 00:00:00", "2026-01-01 24:00:00", "2026-01-01 00:60:00", "2026-01-01 00:00:60",
        "2026-01-01 00:00:00.", "2026-01-01 00:00:00.1234567890", "2026-01-01 00:00:00.1x",
        "+026-01-01 00:00:00", "2026-01-0\x00 00:00:00"}) {
    EXPECT_FALSE(ParseSqlTimestamp(text)) << text;
  }
}

}  // namespace
}  // namespace fss
