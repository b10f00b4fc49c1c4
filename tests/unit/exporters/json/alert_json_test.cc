#include "exporters/json/alert_json.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(AlertsJson, IsWhatAlertmanagerTakes) {
  const Alert alert{{{"alertname", "FlinkStateGrowing"}, {"flink_job", "a \"b\"\n"}},
                    {{"summary", "50% \xFF"}},
                    1'793'534'400'000,
                    1'793'534'640'250};
  EXPECT_EQ(AlertsJson(std::vector{alert}, "http://pod:9249/api/v1/findings"),
            "[{\"labels\":{\"alertname\":\"FlinkStateGrowing\",\"flink_job\":\"a \\\"b\\\"\\n\"},"
            "\"annotations\":{\"summary\":\"50% \xEF\xBF\xBD\"},"
            "\"startsAt\":\"2026-11-01T12:00:00.000Z\",\"endsAt\":\"2026-11-01T12:04:00.250Z\","
            "\"generatorURL\":\"http://pod:9249/api/v1/findings\"}]");
  EXPECT_EQ(AlertsJson({}, ""), "[]");
}

TEST(Rfc3339, CoversTheYears) {
  EXPECT_EQ(Rfc3339(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(Rfc3339(951'782'399'999), "2000-02-28T23:59:59.999Z");
  EXPECT_EQ(Rfc3339(-1), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace fss
