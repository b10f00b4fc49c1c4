#include "collectors/recorded_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace fss {
namespace {

namespace fs = std::filesystem;

// What is recorded may hold passwords: a plan has the options of its tables.
constexpr mode_t kOwnFile = 0600;
constexpr std::size_t kFirstTail = 256U << 10U;
// Lines of a job with 2,000 vertices have 2 MB.
constexpr std::size_t kLargestTail = 64U << 20U;

Error Failed(int error, const std::string& file) {
  return Error{error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
               std::generic_category().message(error), file};
}

class OpenFile {
 public:
  OpenFile(const std::string& file, int flags)
      : fd_(open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, kOwnFile)) {}
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }
  // 0, or an errno. A network file system may tell of a full disk only now.
  int Close() {
    const int error = close(fd_) == 0 ? 0 : errno;
    fd_ = -1;
    return error;
  }

 private:
  int fd_;
};

// 0, or an errno.
int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

// The file's last `size` bytes into `bytes`; 0, or an errno.
int ReadEnd(int fd, off_t end, std::size_t size, std::string* bytes) {
  bytes->resize(size);
  std::size_t used = 0;
  while (used < size) {
    const ssize_t got = pread(fd, bytes->data() + used, size - used,
                              end - static_cast<off_t>(size) + static_cast<off_t>(used));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;  // somebody cut it
    used += static_cast<std::size_t>(got);
  }
  bytes->resize(used);
  return 0;
}

}  // namespace

Status MakeFolder(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return OkStatus();
  if (fs::exists(path, error)) return Error{ErrorCode::kIo, "is no folder", path};
  fs::create_directories(path, error);
  if (error) return Error{ErrorCode::kIo, error.message(), path};
  fs::permissions(path, fs::perms::owner_all, error);
  if (error) return Error{ErrorCode::kIo, error.message(), path};
  return OkStatus();
}

Status TryToWrite(const std::string& path) {
  constexpr std::size_t kSome = 64U << 10U;
  const std::string file = path + "/.probe";
  Status written = WriteWholeFile(file, std::string(kSome, '\n'));
  if (!written.ok()) return Error{written.error().code, written.error().message, path};
  unlink(file.c_str());
  return OkStatus();
}

Status WriteWholeFile(const std::string& file, std::string_view bytes) {
  const std::string begun = file + ".tmp";
  OpenFile out(begun, O_WRONLY | O_CREAT | O_TRUNC);
  if (out.fd() < 0) return Failed(errno, file);
  int error = WriteAll(out.fd(), bytes);
  const int closed = out.Close();
  if (error == 0) error = closed;
  if (error == 0 && rename(begun.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) return OkStatus();
  unlink(begun.c_str());
  return Failed(error, file);
}

Status AppendLines(const std::string& file, std::string_view lines) {
  OpenFile out(file, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK);
  struct stat before {};
  if (out.fd() < 0 || fstat(out.fd(), &before) != 0) return Failed(errno, file);
  if (!S_ISREG(before.st_mode)) return Error{ErrorCode::kIo, "is no regular file", file};
  const int error = WriteAll(out.fd(), lines);
  if (error == 0) return OkStatus();
  // Half a line would spoil the next one.
  if (ftruncate(out.fd(), before.st_size) != 0) return Failed(errno, file);
  return Failed(error, file);
}

Result<FileTail> MendAndReadTail(const std::string& file, std::size_t least_lines) {
  const OpenFile in(file, O_RDWR | O_NONBLOCK);
  struct stat info {};
  if (in.fd() < 0 || fstat(in.fd(), &info) != 0) return Failed(errno, file);
  if (!S_ISREG(info.st_mode)) return Error{ErrorCode::kIo, "is no regular file", file};
  FileTail tail;
  const auto whole = static_cast<std::size_t>(info.st_size);
  for (std::size_t size = std::min(whole, kFirstTail);; size = std::min(whole, 2 * size)) {
    const int error = ReadEnd(in.fd(), info.st_size, size, &tail.lines);
    if (error != 0) return Failed(error, file);
    const auto lines = std::count(tail.lines.begin(), tail.lines.end(), '\n');
    // One more: the first is not whole.
    if (size == whole || size >= kLargestTail || static_cast<std::size_t>(lines) > least_lines) {
      tail.all = size == whole;
      break;
    }
  }
  const auto last = tail.lines.rfind('\n');
  const std::size_t kept = last == std::string::npos ? 0 : last + 1;
  const std::size_t torn = tail.lines.size() - kept;
  if (torn > 0 && ftruncate(in.fd(), info.st_size - static_cast<off_t>(torn)) != 0) {
    return Failed(errno, file);
  }
  tail.lines.resize(kept);
  if (!tail.all) tail.lines.erase(0, tail.lines.find('\n') + 1);
  return tail;
}

}  // namespace fss
