// Findings, as people read them.
#pragma once

#include <string>

#include "exporters/text/report_text.h"
#include "sidecar/model/finding.h"

namespace fss {

// Appends the finding in the manner of product.md: severity, code and sentence, wrapped to the
// width, then the advice; its lines of SQL and configuration are indented and never wrapped, so
// that they can be copied. Pure; safe from any thread.
void AppendFinding(const Finding& finding, const TextOptions& options, std::string* out);

// "3 findings: 1 critical, 2 warnings", or an empty text for none.
class FindingCounts {
 public:
  void Add(const Finding& finding);
  std::string ToString() const;

 private:
  std::size_t critical_ = 0;
  std::size_t warning_ = 0;
  std::size_t info_ = 0;
  std::size_t acknowledged_ = 0;
};

}  // namespace fss
