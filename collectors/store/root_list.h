// --checkpoint_root: which addresses of checkpoints may be read, and where they lie.
//
// Immutable once parsed; safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/store/location.h"
#include "sidecar/base/result.h"

namespace fss {

struct CheckpointRoot {
  Location prefix;  // of the addresses that Flink gives
  Location place;   // where the same files are to be read: of scheme "file" or "s3"
};

// A file below a root: `root.place` with `relative` behind it.
struct RootedFile {
  const CheckpointRoot* root = nullptr;  // of the RootList
  std::string relative;                  // "/job/chk-7/_metadata"; never empty, no ".."
};

class RootList {
 public:
  // A comma-separated list of "PLACE" (addresses below it are read as they are) and "PREFIX=PLACE"
  // (addresses below PREFIX lie below PLACE). A PLACE is a folder ("/shared", "file:/shared") or an
  // "s3://bucket/prefix"; a PREFIX is of any scheme. Escapes are undone: a comma of a name is
  // written %2C, an equals sign %3D, a percent sign %25. Blanks around an entry and empty entries
  // are left out, so "" is the list that reads nothing. kInvalidArgument, with the entry for
  // context, for anything else.
  static Result<RootList> Parse(std::string_view text);

  // The file at `address` by the root with the longest prefix; absent when no root holds it.
  // kInvalidArgument, without context, as of ParseLocation.
  Result<std::optional<RootedFile>> Resolve(std::string_view address) const;

  [[nodiscard]] const std::vector<CheckpointRoot>& roots() const { return roots_; }

 private:
  std::vector<CheckpointRoot> roots_;
};

}  // namespace fss
