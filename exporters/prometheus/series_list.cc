#include "exporters/prometheus/series_list.h"

#include <algorithm>
#include <utility>

#include "exporters/prometheus/label_value.h"

namespace fss {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;

constexpr char kEndOfValue = '\xFF';

std::vector<ClientMetric::Label> Labels(std::string_view values,
                                        std::span<const std::string_view> names) {
  std::vector<ClientMetric::Label> labels;
  labels.reserve(names.size());
  for (const std::string_view name : names) {
    const std::size_t end = values.find(kEndOfValue);
    if (end > 0) {
      labels.push_back({std::string(name), std::string(values.substr(0, end))});
    }
    values.remove_prefix(end + 1);
  }
  return labels;
}

}  // namespace

std::string SeriesList::KeyOf(std::initializer_list<std::string_view> values) {
  std::string labels;
  for (const std::string_view text : values) {
    labels.append(LabelValue(text)).push_back(kEndOfValue);
  }
  return labels;
}

void SeriesList::Add(std::initializer_list<std::string_view> values, double value) {
  const auto [place, is_new] = by_labels_.try_emplace(KeyOf(values), series_.size());
  if (is_new) {
    series_.emplace_back(place->first, value);
  } else {
    double& held = series_[place->second].second;
    held = std::max(held, value);
  }
}

void SeriesList::Add(std::initializer_list<std::string_view> values,
                     ClientMetric::Histogram histogram) {
  const auto [place, is_new] = by_labels_.try_emplace(KeyOf(values), series_.size());
  if (is_new) {
    series_.emplace_back(place->first, 0);
    histograms_.push_back(std::move(histogram));
  }
}

std::vector<ClientMetric> SeriesList::Part(std::size_t begin, std::size_t end, MetricType type,
                                           std::span<const std::string_view> label_names) const {
  std::vector<ClientMetric> part;
  for (std::size_t i = begin; i < std::min(end, series_.size()); ++i) {
    ClientMetric& metric = part.emplace_back();
    metric.label = Labels(series_[i].first, label_names);
    if (i < histograms_.size()) {
      metric.histogram = histograms_[i];
      continue;
    }
    (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = series_[i].second;
  }
  return part;
}

}  // namespace fss
