#include "sidecar/app/flags.h"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(DurationFlag, TakesANumberWithAUnit) {
  EXPECT_EQ(*DurationFlag("poll_interval", "15s"), std::chrono::seconds(15));
  EXPECT_EQ(*DurationFlag("poll_interval", "500 ms"), std::chrono::milliseconds(500));
  EXPECT_EQ(*DurationFlag("poll_interval", "2min"), std::chrono::minutes(2));
}

TEST(DurationFlag, NamesTheFlagItRefuses) {
  for (const char* bad : {"", "15", "s", "-1s", "1.5s", "0s", "2d", "soon", "1 µs"}) {
    const auto outcome = DurationFlag("poll_interval", bad);
    ASSERT_FALSE(outcome.ok()) << bad;
    EXPECT_TRUE(outcome.error().ToString().starts_with("--poll_interval: ")) << bad;
  }
}

TEST(FormatFlag, KnowsTextAndJson) {
  const gflags::FlagSaver saver;
  FLAGS_format = "json";
  EXPECT_EQ(*FormatFlag(), OutputFormat::kJson);
  FLAGS_format = "text";
  EXPECT_EQ(*FormatFlag(), OutputFormat::kText);
  FLAGS_format = "yaml";
  EXPECT_EQ(FormatFlag().error().ToString(), "--format: 'yaml' is neither text nor json");
}

TEST(FormatFlag, LeavesSarifAndJunitToLint) {
  const gflags::FlagSaver saver;
  for (const auto& [name, format] :
       {std::pair{"sarif", OutputFormat::kSarif}, std::pair{"junit", OutputFormat::kJunit}}) {
    FLAGS_format = name;
    EXPECT_EQ(*LintFormatFlag(), format);
    EXPECT_EQ(FormatFlag().error().ToString(),
              "--format: '" + std::string(name) + "' is for lint alone: here text or json");
  }
  FLAGS_format = "text";
  EXPECT_EQ(*LintFormatFlag(), OutputFormat::kText);
  FLAGS_format = "json";
  EXPECT_EQ(*LintFormatFlag(), OutputFormat::kJson);
  FLAGS_format = "yaml";
  EXPECT_EQ(LintFormatFlag().error().ToString(),
            "--format: 'yaml' is not text, json, sarif or junit");
}

TEST(FailOnFlag, KnowsSeveritiesAndNever) {
  const gflags::FlagSaver saver;
  FLAGS_fail_on = "critical";
  EXPECT_EQ(*FailOnFlag(), std::optional(Severity::kCritical));
  FLAGS_fail_on = "never";
  EXPECT_EQ(*FailOnFlag(), std::nullopt);
  FLAGS_fail_on = "always";
  EXPECT_FALSE(FailOnFlag().ok());
}

TEST(FailOnIncompatibleFlag, KnowsItsOwnWordsAndTheSharedDefault) {
  const gflags::FlagSaver saver;
  EXPECT_FALSE(*FailOnIncompatibleFlag());
  gflags::SetCommandLineOption("fail_on", "incompatible");
  EXPECT_TRUE(*FailOnIncompatibleFlag());
  gflags::SetCommandLineOption("fail_on", "never");
  EXPECT_FALSE(*FailOnIncompatibleFlag());
  gflags::SetCommandLineOption("fail_on", "critical");
  EXPECT_FALSE(FailOnIncompatibleFlag().ok());
}

TEST(FlinkVersionFlag, TakesAVersion) {
  const gflags::FlagSaver saver;
  EXPECT_EQ(*FlinkVersionFlag(), "");
  FLAGS_flink_version = "1.20.5";
  EXPECT_EQ(*FlinkVersionFlag(), "1.20.5");
  FLAGS_flink_version = "newest";
  EXPECT_EQ(FlinkVersionFlag().error().ToString(),
            "--flink_version: 'newest' is no version such as 2.3");
}

TEST(StateBackendFlag, TakesFlinksNames) {
  const gflags::FlagSaver saver;
  for (const char* good : {"", "hashmap", "rocksdb", "forst"}) {
    FLAGS_state_backend = good;
    EXPECT_EQ(*StateBackendFlag(), good);
  }
  FLAGS_state_backend = "heap";
  EXPECT_EQ(StateBackendFlag().error().ToString(),
            "--state_backend: 'heap' is not hashmap, rocksdb or forst");
}

TEST(JobManagerUrlsFlag, SplitsStandbys) {
  const gflags::FlagSaver saver;
  FLAGS_jobmanager_url = "http://a:8081, https://b/flink/ns/,";
  EXPECT_EQ(*JobManagerUrlsFlag(),
            (std::vector<std::string>{"http://a:8081", "https://b/flink/ns/"}));
  FLAGS_jobmanager_url = " , ";
  EXPECT_FALSE(JobManagerUrlsFlag().ok());
}

TEST(AlertmanagerUrlsFlag, TakesNoneOneOrMore) {
  const gflags::FlagSaver saver;
  EXPECT_TRUE(AlertmanagerUrlsFlag().empty());
  FLAGS_alertmanager_url = "http://a:9093, https://b/am,";
  EXPECT_EQ(AlertmanagerUrlsFlag(), (std::vector<std::string>{"http://a:9093", "https://b/am"}));
}

TEST(RunbookBaseUrlFlag, TakesAUrlWithoutItsLastSlash) {
  const gflags::FlagSaver saver;
  EXPECT_EQ(*RunbookBaseUrlFlag(), "");
  FLAGS_runbook_base_url = "https://wiki.test/runbooks//";
  EXPECT_EQ(*RunbookBaseUrlFlag(), "https://wiki.test/runbooks");
  for (const char* bad : {"wiki.test/runbooks", "/", "https://wiki.test/a b", "ftp://wiki.test"}) {
    FLAGS_runbook_base_url = bad;
    ASSERT_FALSE(RunbookBaseUrlFlag().ok()) << bad;
    EXPECT_TRUE(RunbookBaseUrlFlag().error().ToString().starts_with("--runbook_base_url: ")) << bad;
  }
}

}  // namespace
}  // namespace fss
