#include "exporters/prometheus/metric_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "../golden.h"

namespace fss {
namespace {

std::string TypeName(prometheus::MetricType type) {
  switch (type) {
    case prometheus::MetricType::Counter:
      return "counter";
    case prometheus::MetricType::Gauge:
      return "gauge";
    case prometheus::MetricType::Histogram:
      return "histogram";
    default:
      return "unexpected";
  }
}

struct Documented {
  std::string type;
  std::string labels;
  std::string unit;
  std::string meaning;
  std::string origin;
};

std::string Trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> Cells(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream parts(row.substr(1));
  for (std::string cell; std::getline(parts, cell, '|');) {
    cells.push_back(Trim(cell));
  }
  return cells;
}

// The rows of docs/metrics.md whose first cell is a metric's name.
std::map<std::string, Documented> ReadDocs() {
  std::map<std::string, Documented> rows;
  std::istringstream lines(ReadFileOrFail(std::string(FSS_TEST_DATA) + "/../../docs/metrics.md"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `flink_state_")) {
      continue;
    }
    std::vector<std::string> cells = Cells(line);
    if (cells.size() != 6) {
      ADD_FAILURE() << "not six cells: " << line;
      continue;
    }
    const std::string name = cells[0].substr(1, cells[0].size() - 2);
    EXPECT_TRUE(
        rows.emplace(name, Documented{cells[1], cells[2], cells[3], cells[4], cells[5]}).second)
        << "twice: " << name;
  }
  return rows;
}

std::string LabelsCell(const MetricRow& row) {
  std::string cell;
  for (const std::string_view label : row.labels) {
    cell.append(cell.empty() ? "`" : ", `").append(label).append("`");
  }
  return cell.empty() ? "-" : cell;
}

TEST(MetricTableTest, DocsAndTableAgreeBothWays) {
  std::map<std::string, Documented> docs = ReadDocs();
  for (const MetricRow& row : MetricTable()) {
    const auto found = docs.find(std::string(row.name));
    if (found == docs.end()) {
      ADD_FAILURE() << row.name << " is not in docs/metrics.md";
      continue;
    }
    EXPECT_EQ(found->second.type, TypeName(row.type)) << row.name;
    EXPECT_EQ(found->second.labels, LabelsCell(row)) << row.name;
    EXPECT_EQ(found->second.unit, row.unit.empty() ? "-" : row.unit) << row.name;
    EXPECT_FALSE(found->second.meaning.empty()) << row.name;
    EXPECT_FALSE(found->second.origin.empty()) << row.name;
    docs.erase(found);
  }
  for (const auto& [name, documented] : docs) {
    ADD_FAILURE() << name << " of docs/metrics.md is not in the metric table";
  }
}

TEST(MetricTableTest, NamesFollowPrometheusConventions) {
  std::set<std::string_view> names;
  for (const MetricRow& row : MetricTable()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " twice";
    EXPECT_TRUE(row.name.starts_with("flink_state_")) << row.name;
    EXPECT_EQ(row.name.ends_with("_total"), row.type == prometheus::MetricType::Counter)
        << row.name;
    if (!row.unit.empty()) {
      EXPECT_NE(row.name.find(row.unit), std::string_view::npos) << row.name;
    }
    EXPECT_NE(row.generate, nullptr) << row.name;
  }
}

TEST(MetricTableTest, HelpIsOneUnescapedSentence) {
  for (const MetricRow& row : MetricTable()) {
    EXPECT_TRUE(row.help.ends_with(".")) << row.name;
    EXPECT_EQ(row.help.find_first_of("\\\n"), std::string_view::npos) << row.name;
  }
}

TEST(MetricTableTest, LabelsAreOursAlone) {
  for (const MetricRow& row : MetricTable()) {
    const std::set<std::string_view> labels(row.labels.begin(), row.labels.end());
    EXPECT_EQ(labels.size(), row.labels.size()) << row.name;
    EXPECT_FALSE(labels.contains("job")) << row.name;
    EXPECT_FALSE(labels.contains("instance")) << row.name;
    EXPECT_FALSE(labels.contains("le")) << row.name;
  }
}

}  // namespace
}  // namespace fss
