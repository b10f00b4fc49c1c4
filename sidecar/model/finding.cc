#include "sidecar/model/finding.h"

#include <tuple>
#include <utility>

namespace fss {

const char* SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kCritical:
      break;
  }
  return "critical";
}

AdviceText& AdviceText::operator=(std::string text) {
  text.shrink_to_fit();  // it stays for long
  text_ = text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text));
  added_.clear();
  return *this;
}

AdviceText& AdviceText::operator+=(std::string_view more) {
  added_ += more;
  return *this;
}

std::string AdviceText::Text() const { return text_ == nullptr ? added_ : *text_ + added_; }

bool Finding::SamePlace(const Finding& other) const {
  const auto place = [](const Finding& f) {
    return std::tie(f.code, f.job_id, f.vertex_id, f.node_id, f.operator_label, f.state, f.plan);
  };
  return place(*this) == place(other);
}

}  // namespace fss
