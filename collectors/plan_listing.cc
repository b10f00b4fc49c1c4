#include "collectors/plan_listing.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sidecar/base/text.h"

namespace fss {
namespace {

// A plan folder holds a file per job. What lies beyond these limits is reported, not read.
constexpr int kMaxFolderDepth = 4;
constexpr std::size_t kMaxFiles = 10'000;
constexpr std::size_t kMaxNames = 200'000;
constexpr std::string_view kSuffix = ".json";

struct FolderClose {
  void operator()(DIR* folder) const { closedir(folder); }
};

std::string SystemMessage(int error) { return std::generic_category().message(error); }

class Walk {
 public:
  // Symbolic links may lead back to a folder above, or in a circle.
  bool Enter(const FileIdentity& identity) {
    return entered_.emplace(identity.device, identity.inode).second;
  }

  // Adds the plans below `path`; `shown` is its name relative to the plan folder, "" for itself.
  Status Folder(const std::string& path, const std::string& shown, int depth) {
    const std::unique_ptr<DIR, FolderClose> folder(opendir(path.c_str()));
    if (folder == nullptr) return Error{ErrorCode::kIo, SystemMessage(errno), path};
    std::vector<std::string> names;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): safe in glibc for a stream of one's own.
    while (const dirent* entry = readdir(folder.get())) {
      const std::string_view name = entry->d_name;
      // Hidden: editors' copies, and the "..data" of ConfigMap mounts, whose files the links beside
      // it lead to.
      if (name.front() == '.') continue;
      if (++names_ > kMaxNames) {
        listing_.errors["."] =
            "more than " + std::to_string(kMaxNames) + " names, the rest is left out";
        break;
      }
      names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    const std::string shown_folder = shown.empty() ? "" : shown + "/";
    for (const std::string& name : names) {
      std::string inner = path;
      inner.append("/").append(name);
      Name(inner, shown_folder + ValidUtf8(name), depth);
    }
    return OkStatus();
  }

  PlanListing Take() && { return std::move(listing_); }

 private:
  void Name(const std::string& path, const std::string& shown, int depth) {
    const bool plan = shown.size() > kSuffix.size() &&
                      shown.compare(shown.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
    const Result<FileStatus> status = LookAt(path);
    if (status && status->type == FileType::kFolder) {
      if (depth >= kMaxFolderDepth || !Enter(status->identity)) return;
      const Status read = Folder(path, shown, depth + 1);
      if (!read) listing_.errors[shown] = read.error().message;
      return;
    }
    if (!plan) return;
    if (!status) {
      listing_.errors[shown] = status.error().message;
    } else if (status->type != FileType::kRegular) {
      listing_.errors[shown] = "is no regular file";
    } else if (listing_.files.size() >= kMaxFiles) {
      listing_.errors["."] =
          "more than " + std::to_string(kMaxFiles) + " plans, the rest is left out";
    } else {
      listing_.files[shown] = ListedFile{path, status->identity};
    }
  }

  PlanListing listing_;
  std::size_t names_ = 0;
  std::set<std::pair<std::uint64_t, std::uint64_t>> entered_;
};

}  // namespace

Result<PlanListing> ListPlans(const std::string& path) {
  const Result<FileStatus> root = LookAt(path);
  if (!root) return Error{root.error().code, root.error().message, path};
  if (root->type == FileType::kRegular) {
    PlanListing one;
    one.files[path] = ListedFile{path, root->identity};
    return one;
  }
  if (root->type != FileType::kFolder) {
    return Error{ErrorCode::kIo, "is neither a folder nor a regular file", path};
  }
  Walk walk;
  walk.Enter(root->identity);
  const Status read = walk.Folder(path, "", 0);
  if (!read) return read.error();
  return std::move(walk).Take();
}

}  // namespace fss
