#include "exporters/alertmanager/alert_table.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "../golden.h"
#include "sidecar/base/millis.h"

namespace fss {
namespace {

const char* SeverityText(const std::optional<Severity>& severity) {
  return severity.has_value() ? SeverityName(*severity) : "any";
}

// "12m", "1h": as Prometheus writes them.
std::string Minutes(std::int64_t millis) {
  EXPECT_EQ(millis % kMillisPerMinute, 0);
  const std::int64_t minutes = millis / kMillisPerMinute;
  return minutes % 60 == 0 && minutes > 0 ? std::to_string(minutes / 60) + "h"
                                          : std::to_string(minutes) + "m";
}

std::string Line(const FindingAlert& row) {
  std::string line = "finding " + std::string(row.code) + " " + SeverityText(row.finding_severity) +
                     " " + std::string(row.name) + " " + SeverityName(row.severity) + " " +
                     Minutes(row.wait_ms);
  if (row.unless.has_value()) {
    line += row.unless->scope == AlertExclusion::Scope::kJob ? " unless job " : " unless operator ";
    line += row.unless->code;
    if (!row.unless->other_code.empty()) line += "|" + std::string(row.unless->other_code);
    line += std::string(" ") + SeverityText(row.unless->severity);
  }
  return line + "\n";
}

std::string Line(const OwnAlert& row) {
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", row.limit);
  return "own " + std::string(row.name) + " " +
         (row.reason.empty() ? "-" : std::string(row.reason)) + " " + SeverityName(row.severity) +
         " " + Minutes(row.wait_ms) + " held " + Minutes(row.held_ms) + " limit " + limit + "\n";
}

// tests/rules/test_rules.py compares this file with deploy/prometheus/rules.yaml.
TEST(AlertTable, IsAsTheGoldenFileSays) {
  std::string table;
  for (const FindingAlert& row : FindingAlerts()) table += Line(row);
  for (const OwnAlert& row : OwnAlerts()) table += Line(row);
  const std::string path = std::string(FSS_TEST_DATA) + "/alerts.txt";
  if (std::getenv("FSS_UPDATE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(path, std::ios::binary) << table;
  }
  EXPECT_EQ(ReadFileOrFail(path), table) << "FSS_UPDATE_GOLDEN=1 accepts the change";
}

TEST(AlertTable, EachFindingHasOneAlertAtMost) {
  std::set<std::pair<std::string_view, Severity>> taken;
  for (const FindingAlert& row : FindingAlerts()) {
    for (const Severity severity : {Severity::kWarning, Severity::kCritical}) {
      if (row.finding_severity.value_or(severity) != severity) continue;
      EXPECT_TRUE(taken.emplace(row.code, severity).second) << row.code;
      EXPECT_EQ(AlertOf(row.code, severity), &row);
    }
    EXPECT_EQ(AlertOf(row.code, Severity::kInfo), nullptr);
  }
  EXPECT_EQ(AlertOf("joinable-chain", Severity::kWarning), nullptr);
}

// Else one single sample would raise it.
TEST(AlertTable, WaitsAreLongerThanTheLookBack) {
  for (const FindingAlert& row : FindingAlerts()) EXPECT_GT(row.wait_ms, kAlertLookBackMillis);
}

}  // namespace
}  // namespace fss
