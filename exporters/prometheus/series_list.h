// The series of one metric, none twice.
#pragma once

#include <prometheus/client_metric.h>
#include <prometheus/metric_type.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fss {

// Collects series and merges equal ones: two equal series make Prometheus refuse the whole scrape,
// and a hostile or buggy cluster can cause them (one job id twice in the overview, two operators
// of one chain with equal labels, a state name twice). Of equal series the largest value stands,
// whatever the order they came in: the one that keeps more state, or keeps it longer. Not thread
// safe.
class SeriesList {
 public:
  SeriesList() = default;
  SeriesList(const SeriesList&) = delete;
  SeriesList& operator=(const SeriesList&) = delete;

  // `values` stand in the order of the metric's label names. An empty value leaves its label out:
  // to Prometheus that is the same. Values are untrusted text; they are cut and cleaned here.
  void Add(std::initializer_list<std::string_view> values, double value);
  // The same for a histogram. Of equal ones the first stands.
  void Add(std::initializer_list<std::string_view> values,
           prometheus::ClientMetric::Histogram histogram);

  bool empty() const { return series_.empty(); }
  std::size_t size() const { return series_.size(); }

  // The series from the `begin`-th to before the `end`-th as prometheus-cpp has them. These take
  // many times the memory of the list's own form: ask for a part at a time.
  std::vector<prometheus::ClientMetric> Part(std::size_t begin, std::size_t end,
                                             prometheus::MetricType type,
                                             std::span<const std::string_view> label_names) const;

 private:
  static std::string KeyOf(std::initializer_list<std::string_view> values);

  // In the order they came; keys are owned by by_labels_, whose nodes stay where they are.
  std::vector<std::pair<std::string_view, double>> series_;
  // Label values, each ended by a byte that no UTF-8 text holds, to indexes of series_.
  std::unordered_map<std::string, std::size_t> by_labels_;
  // By the series' index; empty where they are numbers.
  std::vector<prometheus::ClientMetric::Histogram> histograms_;
};

}  // namespace fss
