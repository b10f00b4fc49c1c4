#include "sidecar/model/finding.h"

#include <tuple>

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

bool Finding::SamePlace(const Finding& other) const {
  const auto place = [](const Finding& f) {
    return std::tie(f.code, f.job_id, f.vertex_id, f.node_id, f.operator_label, f.state, f.plan);
  };
  return place(*this) == place(other);
}

}  // namespace fss
