#include "collectors/rules_file.h"

#include <utility>

#include "collectors/bounded_file.h"
#include "collectors/rules_reader.h"

namespace fss {

RulesFile::RulesFile(std::string path)
    : path_(std::move(path)), outcome_(OkStatus()), rules_(std::make_shared<const Rules>()) {}

Result<std::shared_ptr<const Rules>> RulesFile::Refresh() {
  Result<FileContent> content = ReadBoundedFile(path_, kMaxRulesBytes, /*regular_only=*/true);
  if (!content.ok()) {
    Error error = content.error();
    error.context = path_;
    return error;
  }
  if (!read_once_ || content->bytes != bytes_) {
    read_once_ = true;
    bytes_ = std::move(content->bytes);
    Result<Rules> fresh = ReadRules(bytes_, path_);
    if (fresh.ok()) {
      outcome_ = OkStatus();
      rules_ = std::make_shared<const Rules>(*std::move(fresh));
    } else {
      outcome_ = fresh.error();
    }
  }
  if (!outcome_.ok()) return outcome_.error();
  return rules_;
}

}  // namespace fss
