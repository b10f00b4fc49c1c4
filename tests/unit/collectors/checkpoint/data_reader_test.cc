#include "collectors/checkpoint/data_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/collectors/checkpoint/java_bytes.h"
#include "tests/unit/collectors/checkpoint/memory_source.h"

namespace fss {
namespace {

TEST(DataReader, ReadsNumbersAndTextsWhateverThePieces) {
  const std::string bytes =
      JavaBytes().U8(0x91).I32(-2).I64(-3).Text("größe").Framed("abc").Text("tail").bytes();
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 1000U}) {
    MemorySource source(bytes);
    source.SetPiece(piece);
    DataReader in(source);
    EXPECT_EQ(in.U8("a"), 0x91);
    EXPECT_EQ(in.I32("b"), -2);
    EXPECT_EQ(in.I64("c"), -3);
    EXPECT_EQ(in.Text("d"), "größe");
    std::string kept = ">";
    in.Append(in.Length("e"), &kept, "f");
    EXPECT_EQ(kept, ">abc");
    EXPECT_EQ(in.left(), 6U);
    EXPECT_FALSE(in.AtEnd());
    in.SkipText("g");
    EXPECT_TRUE(in.AtEnd());
    EXPECT_TRUE(in.ok());
    EXPECT_EQ(in.offset(), bytes.size());
  }
}

TEST(DataReader, TheFirstTroubleSticksAndTellsWhereAndWhat) {
  MemorySource source(JavaBytes().I32(1).U16(5).bytes());
  DataReader in(source);
  EXPECT_EQ(in.I32("a number"), 1);
  EXPECT_EQ(in.I32("a longer number"), 0);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.error().code, ErrorCode::kMalformed);
  EXPECT_EQ(in.error().message, "byte 6: the file ends within a longer number");
  EXPECT_EQ(in.U8("another"), 0);
  EXPECT_EQ(in.Text("another"), "");
  EXPECT_EQ(in.Count(1, "another"), 0);
  in.Skip(1U << 30U, "another");
  EXPECT_FALSE(in.AtEnd());
  EXPECT_EQ(in.error().message, "byte 6: the file ends within a longer number");
}

TEST(DataReader, RefusesLengthsAndCountsThatDoNotFit) {
  const auto why = [](const std::string& bytes, auto read) {
    MemorySource source(bytes);
    DataReader in(source);
    read(in);
    return in.ok() ? "" : in.error().message;
  };
  const auto count = [](DataReader& in) { EXPECT_EQ(in.Count(8, "the number of things"), 0); };
  EXPECT_EQ(why(JavaBytes().I32(2).I64(0).bytes(), count),
            "byte 4: the number of things would take 16 bytes, 8 are left");
  EXPECT_EQ(why(JavaBytes().I32(-1).I64(0).bytes(), count),
            "byte 4: the number of things is negative: -1");
  EXPECT_EQ(why(JavaBytes().I32(0x7FFFFFFF).I64(0).bytes(), count),
            "byte 4: the number of things would take 17179869176 bytes, 8 are left");
  const auto text = [](DataReader& in) { in.Text("a name"); };
  EXPECT_EQ(why(JavaBytes().U16(3).Raw("ab").bytes(), text),
            "byte 2: a name would take 3 bytes, 2 are left");
  EXPECT_EQ(why(JavaBytes().Text("a\xFF").bytes(), text), "byte 4: a name is no text");
  const auto skip = [](DataReader& in) { in.Skip(~std::uint64_t{0}, "much"); };
  EXPECT_EQ(why("abc", skip), "byte 0: much would take 18446744073709551615 bytes, 3 are left");
}

TEST(DataReader, AFileThatIsShorterThanItsPlaceClaims) {
  MemorySource source("abcd");
  source.SetClaimedSize(1U << 30U);
  DataReader in(source);
  std::string kept;
  in.Append(1U << 29U, &kept, "a block");
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.error().message, "byte 4: the file ends within a block");
  EXPECT_LE(kept.capacity(), 1U << 17U);
}

TEST(DataReader, PassesTheSourcesErrorsOn) {
  MemorySource source(std::string(300'000, 'x'));
  source.FailAt(100'000, Error{ErrorCode::kTimeout, "no answer", "s3://b/k"});
  DataReader in(source);
  in.Skip(250'000, "much");
  ASSERT_FALSE(in.ok());
  EXPECT_EQ(in.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(in.error().ToString(), "s3://b/k: no answer");
}

TEST(DataReader, SkipsMoreThanItsBuffer) {
  std::string bytes(1U << 20U, 'x');
  bytes += JavaBytes().I32(77).bytes();
  MemorySource source(bytes);
  DataReader in(source);
  in.Skip(1U << 20U, "much");
  EXPECT_EQ(in.I32("a number"), 77);
  EXPECT_TRUE(in.AtEnd());
}

}  // namespace
}  // namespace fss
