#include "collectors/checkpoint/local_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

namespace fss {
namespace {

Error SystemError(int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return Error{missing ? ErrorCode::kNotFound : ErrorCode::kIo,
               std::generic_category().message(error), ""};
}

class LocalFile : public ByteSource {
 public:
  LocalFile(int fd, std::uint64_t size, std::uint64_t max_bytes)
      : fd_(fd), size_(size), left_(max_bytes) {}
  ~LocalFile() override { close(fd_); }
  LocalFile(const LocalFile&) = delete;
  LocalFile& operator=(const LocalFile&) = delete;

  Result<std::size_t> Read(std::span<char> into) override {
    const std::size_t bytes = std::min<std::uint64_t>(into.size(), left_);
    for (;;) {
      const ssize_t got = read(fd_, into.data(), bytes);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return SystemError(errno);
      left_ -= static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  int fd_;
  std::uint64_t size_;
  std::uint64_t left_;
};

// "file:/a", "file:///a" and "/a" are the path "/a"; empty for another scheme or host.
std::string PathOf(const std::string& address) {
  const std::string scheme = "file:";
  if (address.starts_with(scheme + "///")) return address.substr(scheme.size() + 2);
  if (address.starts_with(scheme + "//")) return "";
  if (address.starts_with(scheme + "/")) return address.substr(scheme.size());
  // A colon before the first slash ends a scheme; a name in a folder may hold one.
  return address.find(':') < address.find('/') ? "" : address;
}

std::string NameOf(const std::string& address) { return address.substr(address.rfind('/') + 1); }

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenLocalFile(const std::string& path,
                                                  std::uint64_t max_bytes) {
  // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return SystemError(errno);
  struct stat info {};
  const int failure = fstat(fd, &info) != 0 ? errno : 0;
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(info.st_size, 0));
  std::unique_ptr<ByteSource> file = std::make_unique<LocalFile>(fd, size, max_bytes);
  if (failure != 0) return SystemError(failure);
  if (S_ISDIR(info.st_mode)) return Error{ErrorCode::kIo, "is a folder", ""};
  if (!S_ISREG(info.st_mode)) return Error{ErrorCode::kIo, "is no regular file", ""};
  return file;
}

Result<std::unique_ptr<ByteSource>> LocalStore::Open(const std::string& address,
                                                     std::uint64_t max_bytes) {
  const std::string path = PathOf(address);
  if (!path.empty()) {
    auto file = OpenLocalFile(path, max_bytes);
    if (file.ok() || file.error().code != ErrorCode::kNotFound) return file;
  }
  auto beside = OpenLocalFile(folder_ + "/" + NameOf(address), max_bytes);
  if (beside.ok() || !path.empty()) return beside;
  return Error{ErrorCode::kInvalidArgument, "is no address of a local file", ""};
}

}  // namespace fss
