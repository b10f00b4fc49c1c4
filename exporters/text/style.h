// ANSI colours, where a terminal is looked at.
#pragma once

#include <string>
#include <string_view>

#include "sidecar/model/finding.h"

namespace fss {

class Style {
 public:
  explicit Style(bool color) : color_(color) {}

  std::string Bold(std::string_view text) const { return Wrap("\x1b[1m", text); }

  std::string OfSeverity(Severity severity, std::string_view text) const {
    switch (severity) {
      case Severity::kCritical:
        return Wrap("\x1b[1;31m", text);
      case Severity::kWarning:
        return Wrap("\x1b[33m", text);
      case Severity::kInfo:
        break;
    }
    return Wrap("\x1b[36m", text);
  }

 private:
  std::string Wrap(std::string_view code, std::string_view text) const {
    if (!color_) {
      return std::string(text);
    }
    return std::string(code).append(text).append("\x1b[0m");
  }

  bool color_;
};

}  // namespace fss
