#include "exporters/text/diff_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exporters/golden.h"
#include "tests/unit/exporters/sample_diff.h"

namespace fss {
namespace {

using testing::HasSubstr;

TEST(DiffText, IsWhatPeopleRead) {
  ExpectGolden("diff.txt", DiffText(SampleDiff(), TextOptions()));
}

TEST(DiffText, ColoursStandOnATerminalAlone) {
  EXPECT_EQ(DiffText(SampleDiff(), {100, false}).find('\x1b'), std::string::npos);
  EXPECT_THAT(DiffText(SampleDiff(), {100, true}), HasSubstr("\x1b[1;31mrefused\x1b[0m"));
}

TEST(DiffText, WithoutChanges) {
  EXPECT_EQ(DiffText({"a.json", "b.json", "", {}}, TextOptions()),
            "a.json -> b.json\n\nno difference in what keeps state, and for how long\n");
}

TEST(DiffText, HostileTextDoesNoHarm) {
  PlanDiff diff = SampleDiff();
  diff.old_file = "\x1b]0;x\a";
  diff.flink_version = "2\x1b[2J";
  for (PlanChange& change : diff.changes) {
    change.label = "\x1b[2J\n\a";
    change.state = std::string(1000, 'x') + "\n";
    change.message = "a\nb\x1b[0m";
  }
  const std::string text = DiffText(diff, TextOptions());
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\a'), std::string::npos);
  EXPECT_EQ(text.find(std::string(100, 'x')), std::string::npos);
}

}  // namespace
}  // namespace fss
