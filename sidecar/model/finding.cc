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
  text_.reset();
  if (!text.empty()) {
    text.shrink_to_fit();  // it stays for long
    text_ = std::make_shared<Pieces>(1, std::make_shared<const std::string>(std::move(text)));
  }
  added_.clear();
  return *this;
}

void AdviceText::ShareLines(TextPool* pool) {
  if (text_ == nullptr) return;
  Pieces lines;
  for (const SharedText& piece : *text_) {
    std::string_view rest = *piece;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::size_t length = end == std::string_view::npos ? rest.size() : end + 1;
      lines.push_back(pool->Share(rest.substr(0, length)));
      rest.remove_prefix(length);
    }
  }
  lines.shrink_to_fit();
  text_ = std::make_shared<Pieces>(std::move(lines));
}

AdviceText& AdviceText::operator+=(std::string_view more) {
  added_ += more;
  return *this;
}

std::string AdviceText::Text() const {
  std::string text;
  if (text_ != nullptr) {
    for (const SharedText& piece : *text_) text += *piece;
  }
  return text + added_;
}

bool Finding::SamePlace(const Finding& other) const {
  const auto place = [](const Finding& f) {
    return std::tie(f.code, f.job_id, f.vertex_id, f.node_id, f.operator_label, f.state, f.plan);
  };
  return place(*this) == place(other);
}

}  // namespace fss
