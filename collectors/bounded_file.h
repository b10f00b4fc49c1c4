// Files of limited size, read without ever hanging on what is no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sidecar/base/result.h"

namespace fss {

// What tells one content of a file from the next without reading it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;  // mtime
  std::int64_t changed_ns = 0;   // ctime: catches a rewrite that sets mtime back (cp -p, tar)

  bool operator==(const FileIdentity&) const = default;
};

enum class FileType { kRegular, kFolder, kOther };

struct FileStatus {
  FileType type = FileType::kOther;
  FileIdentity identity;
};

// Follows symbolic links. kNotFound when nothing is there (a dangling link too), else kIo. Errors
// of this header have no context: the caller knows the name to show.
Result<FileStatus> LookAt(const std::string& path);

struct FileContent {
  std::string bytes;
  FileIdentity identity;
  bool stable = true;  // false: the file changed while it was read
};

// The bytes of `path`. kNotFound, kIo (a folder; no permission), kTooLarge above `limit`. With
// `regular_only` a pipe, socket or device is kIo at once; without, it is read until its end.
Result<FileContent> ReadBoundedFile(const std::string& path, std::size_t limit, bool regular_only);

}  // namespace fss
