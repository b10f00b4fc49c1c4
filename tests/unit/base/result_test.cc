#include "sidecar/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace fss {
namespace {

TEST(ResultTest, HoldsAValueOrAnError) {
  const Result<int> value = 7;
  ASSERT_TRUE(value.ok());
  EXPECT_TRUE(value);
  EXPECT_EQ(*value, 7);
  const Result<int> error = Error{ErrorCode::kTimeout, "no answer", "/jobs"};
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().code, ErrorCode::kTimeout);
}

TEST(ResultTest, GivesAwayWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 3);
}

TEST(ResultTest, HoldsAnErrorTypedValueApart) {
  Result<std::string> text = std::string("x");
  text->append("y");
  EXPECT_EQ(text.value(), "xy");
}

TEST(ErrorTest, IsAlwaysOneLine) {
  EXPECT_EQ((Error{ErrorCode::kIo, "a\r\nb", ""}).ToString(), "a  b");
  EXPECT_EQ((Error{ErrorCode::kIo, "gone", "plan.json"}).ToString(), "plan.json: gone");
}

TEST(ErrorTest, NamesEveryCode) {
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kInvalidArgument), "invalid-argument");
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kMalformed), "malformed");
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kNotFound), "not-found");
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kUnreachable), "unreachable");
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kTimeout), "timeout");
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kTooLarge), "too-large");
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kHttpStatus), "http-status");
  EXPECT_STREQ(ErrorCodeName(ErrorCode::kIo), "io");
}

}  // namespace
}  // namespace fss
