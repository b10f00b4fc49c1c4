// The reader that the other tests rely on must itself refuse what is not of the format.
#include "exposition.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(ExpositionTest, ReadsSamples) {
  const Exposition page = ReadExposition(
      "# HELP a Help text.\n# TYPE a gauge\na{x=\"1\",y=\"q\\\"b\\\\n\\n\"} +Inf\na 1.5e+3\n");
  EXPECT_EQ(page.series.size(), 2U);
  EXPECT_EQ(page.series.at("a"), 1500);
  EXPECT_EQ(page.LabelValues("y"), std::set<std::string>{"q\"b\\n\n"});
}

TEST(ExpositionTest, RefusesBrokenLines) {
  for (const char* line :
       {"a{x=\"1\"", "a{x=\"1} 1", "a{x=1} 1", "{x=\"1\"} 1", "a", "a ", "a b", "a NaN", "a 1 2",
        "1a 1", "a{x=\"\\q\"} 1", "a{=\"1\"} 1", " a 1", "a{x=\"1\"}1"}) {
    const std::string page = std::string(line) + "\n";
    EXPECT_NONFATAL_FAILURE(ReadExposition(page), "not of the format");
  }
}

TEST(ExpositionTest, RefusesEqualSeries) {
  EXPECT_NONFATAL_FAILURE(ReadExposition("a{x=\"1\"} 1\na{x=\"1\"} 2\n"), "twice");
}

}  // namespace
}  // namespace fss
