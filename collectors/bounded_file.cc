#include "collectors/bounded_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "collectors/descriptor.h"

namespace fss {
namespace {

std::int64_t Nanoseconds(const timespec& time) {
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  return static_cast<std::int64_t>(time.tv_sec) * kPerSecond + time.tv_nsec;
}

FileStatus StatusOf(const struct stat& info) {
  FileStatus status;
  if (S_ISREG(info.st_mode)) status.type = FileType::kRegular;
  if (S_ISDIR(info.st_mode)) status.type = FileType::kFolder;
  status.identity = {info.st_dev, info.st_ino, info.st_size, Nanoseconds(info.st_mtim),
                     Nanoseconds(info.st_ctim)};
  return status;
}

Error TooLarge(std::size_t limit) {
  return Error{ErrorCode::kTooLarge, "larger than " + std::to_string(limit) + " bytes", ""};
}

// Reads to the end; `expected` is only a hint.
Status ReadAll(int fd, std::size_t expected, std::size_t limit, std::string* bytes) {
  constexpr std::size_t kChunk = 64U << 10U;
  bytes->reserve(std::min(expected, limit));
  std::size_t used = 0;
  for (;;) {
    // One byte more than expected, so that a file of that size ends without another growth.
    bytes->resize(std::max(used + kChunk, std::min(expected, limit) + 1));
    const ssize_t got = read(fd, bytes->data() + used, bytes->size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > limit) return TooLarge(limit);
  }
  bytes->resize(used);
  return OkStatus();
}

}  // namespace

Result<FileStatus> LookAt(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return SystemError(errno);
  return StatusOf(info);
}

Result<FileContent> ReadBoundedFile(const std::string& path, std::size_t limit, bool regular_only) {
  // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
  const int flags = O_RDONLY | O_CLOEXEC | (regular_only ? O_NONBLOCK : 0);
  const Descriptor file(open(path.c_str(), flags));
  struct stat before {};
  if (file.get() < 0 || fstat(file.get(), &before) != 0) return SystemError(errno);
  const FileStatus status = StatusOf(before);
  if (status.type == FileType::kFolder) return Error{ErrorCode::kIo, "is a folder", ""};
  if (regular_only && status.type != FileType::kRegular) {
    return Error{ErrorCode::kIo, "is no regular file", ""};
  }
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(status.identity.size, 0));
  if (size > limit) return TooLarge(limit);
  FileContent content;
  content.identity = status.identity;
  const Status read = ReadAll(file.get(), size, limit, &content.bytes);
  if (!read) return read.error();
  struct stat after {};
  content.stable = fstat(file.get(), &after) == 0 && StatusOf(after).identity == status.identity;
  return content;
}

}  // namespace fss
