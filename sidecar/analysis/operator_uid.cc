#include "sidecar/analysis/operator_uid.h"

namespace fss {
namespace {

void ReplaceAll(std::string* text, std::string_view what, std::string_view with) {
  for (std::size_t at = text->find(what); at != std::string::npos;
       at = text->find(what, at + with.size())) {
    text->replace(at, what.size(), with);
  }
}

}  // namespace

// <type> is without the version.
std::string ExpandUid(std::string format, const PlanNode& node, std::string_view transformation) {
  if (format == kDefaultUidFormat) {
    return std::to_string(node.id).append("_").append(transformation);
  }
  ReplaceAll(&format, "<id>", std::to_string(node.id));
  ReplaceAll(&format, "<type>", (node.batch ? "batch-exec-" : "stream-exec-") + node.kind);
  ReplaceAll(&format, "<version>", std::to_string(node.version));
  ReplaceAll(&format, "<transformation>", transformation);
  return format;
}

std::span<const std::string_view> TransformationsOf(const OperatorKind* row,
                                                    const std::string_view& kind) {
  if (row != nullptr && !row->transformations.empty()) return row->transformations;
  return {&kind, 1};
}

}  // namespace fss
