// The plan folder (--plan_dir), read at start and again when it changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

// Not thread safe: the poll loop owns it.
class PlanFolder {
 public:
  // `path` is a folder (searched to a few levels for *.json, names that begin with "." left out:
  // ConfigMap mounts keep their copies in "..data" and swap that symbolic link) or one file.
  explicit PlanFolder(std::string path);
  ~PlanFolder();

  // Looks at the folder; re-reads files whose identity, size or time changed, keeps the others.
  // The returned library is shared until something changes. A broken file is in
  // PlanLibrary::unreadable, the others stay. kNotFound or kIo when the folder itself cannot be
  // read: the last library stays valid (library()).
  Result<std::shared_ptr<const PlanLibrary>> Refresh();

  std::shared_ptr<const PlanLibrary> library() const { return library_; }

  // The bytes of a plan of library(), by its name there. kNotFound when it has changed since.
  Result<std::string> Bytes(const std::string& name) const;

 private:
  struct Seen;
  class Plans;

  static Seen Read(const std::string& path, Plans* plans);
  void Publish(const Plans& plans, std::map<std::string, Seen> now);

  std::string path_;
  std::map<std::string, Seen> seen_;
  std::shared_ptr<const PlanLibrary> library_;
};

}  // namespace fss
