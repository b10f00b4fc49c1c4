#include "exporters/prometheus/metrics_page.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <streambuf>
#include <vector>

#include "exporters/prometheus/metric_table.h"

namespace fss {
namespace {

// How many series are in prometheus-cpp's form at a time: their label strings take several times
// the text that they become.
constexpr std::size_t kSeriesAtATime = 512;

// Lets the serializer write into a string that is used again and again.
class StringSink : public std::streambuf {
 public:
  explicit StringSink(std::string* out) : out_(out) {}

 protected:
  int_type overflow(int_type c) override {
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      out_->push_back(traits_type::to_char_type(c));
    }
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    out_->append(text, static_cast<std::size_t>(count));
    return count;
  }

 private:
  std::string* const out_;
};

// `text` without its comment lines at the head (HELP and TYPE).
std::string_view WithoutHeader(std::string_view text) {
  while (text.starts_with('#')) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return text;
}

class PageWriter {
 public:
  explicit PageWriter(const std::function<void(std::string_view)>& sink) : sink_(sink) {}

  void Write(const MetricRow& row, const SeriesList& series) {
    prometheus::MetricFamily& family = families_.front();
    family.name = row.name;
    family.help = row.help;
    family.type = row.type;
    std::size_t begin = 0;
    do {
      const std::size_t end = begin + kSeriesAtATime;
      family.metric = series.Part(begin, end, row.type, row.labels);
      text_.clear();
      serializer_.Serialize(out_, families_);
      sink_(begin == 0 ? text_ : WithoutHeader(text_));
      begin = end;
    } while (begin < series.size());
  }

 private:
  const std::function<void(std::string_view)>& sink_;
  const prometheus::TextSerializer serializer_;
  std::vector<prometheus::MetricFamily> families_{1};
  std::string text_;
  StringSink buffer_{&text_};
  std::ostream out_{&buffer_};
};

}  // namespace

void WriteMetricsPage(const Fleet& fleet, const std::function<void(std::string_view piece)>& sink) {
  std::vector<MetricInput> inputs;
  inputs.reserve(fleet.clusters.size() + 1);
  for (const auto& cluster : fleet.clusters) {
    inputs.push_back({*cluster->report, cluster->stats, fleet.discovered});
  }
  if (fleet.discovered) {
    inputs.push_back({*fleet.own.report, fleet.own.stats, fleet.discovered});
  }
  PageWriter writer(sink);
  for (const MetricRow& row : MetricTable()) {
    SeriesList series;
    for (const MetricInput& input : inputs) {
      row.generate(input, &series);
    }
    if (!series.empty()) {  // nothing known: no header either
      writer.Write(row, series);
    }
  }
}

std::string MetricsPage(const Fleet& fleet) {
  std::string page;
  WriteMetricsPage(fleet, [&page](std::string_view piece) { page.append(piece); });
  return page;
}

std::string MetricsPage(const Report& report, const SidecarStats& stats) {
  return MetricsPage(*FleetOf(std::make_shared<const Report>(report), stats));
}

}  // namespace fss
