#include "collectors/disk_space.h"

#include <sys/statvfs.h>

#include <cerrno>
#include <limits>
#include <system_error>

namespace fss {

Result<std::int64_t> FreeBytes(const std::string& path) {
  struct statvfs disk {};
  int failed = 0;
  do {
    failed = statvfs(path.c_str(), &disk);
  } while (failed != 0 && errno == EINTR);
  if (failed != 0) {
    const int reason = errno;
    const bool missing = reason == ENOENT || reason == ENOTDIR;
    return Error{missing ? ErrorCode::kNotFound : ErrorCode::kIo,
                 std::generic_category().message(reason), path};
  }
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::uint64_t unit = disk.f_frsize != 0 ? disk.f_frsize : disk.f_bsize;
  const std::uint64_t blocks = disk.f_bavail;
  // Some network file systems claim to be endless.
  if (unit != 0 && blocks > kMost / unit) return static_cast<std::int64_t>(kMost);
  return static_cast<std::int64_t>(blocks * unit);
}

}  // namespace fss
