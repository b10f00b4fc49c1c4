// Which files below a plan folder may be plans. Knows the file system, not plans.
#pragma once

#include <map>
#include <string>

#include "collectors/bounded_file.h"
#include "sidecar/base/result.h"

namespace fss {

struct ListedFile {
  std::string path;  // to open it
  FileIdentity identity;
};

// By the name to show: relative to the folder, valid UTF-8.
struct PlanListing {
  std::map<std::string, ListedFile> files;
  // What could not be looked at or was left out, and why.
  std::map<std::string, std::string> errors;
};

// Regular files called *.json below folder `path`, a few levels deep, or `path` itself when it is
// a file. Names that begin with "." are left out, symbolic links followed, each folder is read
// once; within limits that keep a wrong path ("/") from holding up the poll. kNotFound or kIo when
// `path` itself cannot be read.
Result<PlanListing> ListPlans(const std::string& path);

}  // namespace fss
