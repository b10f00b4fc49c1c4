// The rules file (--rules_file), read at start and again when it changes.
#pragma once

#include <memory>
#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/rules.h"

namespace fss {

// Not thread safe: the poll loop owns it.
class RulesFile {
 public:
  explicit RulesFile(std::string path);

  // Reads the file and, where its bytes are others than last time, its rules. Told by the bytes
  // and by nothing else: a ConfigMap swaps a symbolic link, and editors keep or set back times.
  // The returned rules are shared until they change. On an error, the same one until the file is
  // mended, the last good rules stay (rules()). kNotFound, kIo: it cannot be read; kMalformed,
  // kTooLarge: it is no rules file, see ReadRules. At the start there are no good rules yet: there
  // an error must end it.
  Result<std::shared_ptr<const Rules>> Refresh();

  // Of the last Refresh that succeeded; no rules before it. Never null.
  std::shared_ptr<const Rules> rules() const { return rules_; }

 private:
  std::string path_;
  std::string bytes_;  // as last read
  Status outcome_;     // of reading those bytes
  bool read_once_ = false;
  std::shared_ptr<const Rules> rules_;
};

}  // namespace fss
