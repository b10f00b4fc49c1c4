#include "exporters/json/lab_json.h"

#include <gtest/gtest.h>

#include <vector>

namespace fss {
namespace {

TEST(LabJson, Report) {
  EXPECT_EQ(LabReportJson({"0 ms", "1 d", "2 h", "30 min", 0, "EmbeddedRocksDBStateBackend", 40}),
            R"({"default_ttl":"0 ms","join_left_ttl":"1 d","join_right_ttl":"2 h",)"
            R"("cascade_second_left_ttl":"30 min","window_state_entries":0,)"
            R"("state_backend":"EmbeddedRocksDBStateBackend","rocks_groups":40})");
}

TEST(LabJson, Grade) {
  std::vector<LabStep> steps = {{1, "filter", true, "no node has state"}};
  EXPECT_EQ(LabGradeJson(steps),
            R"({"passed":true,"steps":[{"step":1,"name":"filter","passed":true,)"
            R"("reason":"no node has state"}]})");
  steps.push_back({2, "group-by", false, "\xff\"\n"});
  EXPECT_EQ(LabGradeJson(steps),
            R"({"passed":false,"steps":[{"step":1,"name":"filter","passed":true,)"
            R"("reason":"no node has state"},{"step":2,"name":"group-by","passed":false,)"
            "\"reason\":\"\xEF\xBF\xBD\\\"\\n\"}]}");
}

}  // namespace
}  // namespace fss
