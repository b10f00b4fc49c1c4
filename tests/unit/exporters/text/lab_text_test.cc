#include "exporters/text/lab_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace fss {
namespace {

TextOptions Plain() {
  TextOptions options;
  options.color = false;
  return options;
}

TEST(LabText, ALinePerStep) {
  const std::vector<LabStep> steps = {{1, "filter", true, "no node has state"},
                                      {2, "group-by", false, "agg-plan.json: No such file"}};
  EXPECT_EQ(LabGradeText(steps, Plain()),
            "pass  1  filter    no node has state\n"
            "fail  2  group-by  agg-plan.json: No such file\n"
            "\n"
            "1 of 2 steps pass\n");
}

TEST(LabText, NothingFromOutsideControlsTheTerminal) {
  const std::vector<LabStep> steps = {{1, "filter", false, "a\x1b[2J\nb\xff"}};
  const std::string text = LabGradeText(steps, Plain());
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\nb"), std::string::npos);
  TextOptions coloured = Plain();
  coloured.color = true;
  EXPECT_EQ(LabGradeText(steps, coloured).substr(0, 7), "\x1b[1;31m");
}

}  // namespace
}  // namespace fss
