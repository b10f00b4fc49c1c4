// Reads a page of Prometheus' text format, strictly.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace fss {

struct Exposition {
  // By "name{label="value",…}" as on the page.
  std::map<std::string, double> series;
  std::map<std::string, std::string> types;  // by metric name
  std::set<std::string> helped;              // metric names with a HELP line

  // How many series begin with `prefix`.
  std::size_t CountPrefix(std::string_view prefix) const;
  // The values of label `name` over all series, unescaped.
  std::set<std::string> LabelValues(std::string_view name) const;
};

// A test failure for every line that is not of the format, and for every second equal series.
Exposition ReadExposition(const std::string& page);

}  // namespace fss
