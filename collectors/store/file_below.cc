#include "collectors/store/file_below.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>

#include "collectors/descriptor.h"

namespace fss {
namespace {

class FileSource : public ByteSource {
 public:
  FileSource(Descriptor file, std::uint64_t size, std::uint64_t max_bytes)
      : file_(std::move(file)), size_(size), left_(max_bytes) {}

  Result<std::size_t> Read(std::span<char> into) override {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_));
    if (wanted == 0) return std::size_t{0};
    for (;;) {
      const ssize_t got = read(file_.get(), into.data(), wanted);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return SystemError(errno);
      left_ -= static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  Descriptor file_;
  std::uint64_t size_;
  std::uint64_t left_;
};

std::string OwnDescriptor(const Descriptor& file) {
  return "/proc/self/fd/" + std::to_string(file.get());
}

// Where the kernel says that an open file lies, links resolved.
Result<std::string> RealPath(const Descriptor& file) {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = readlink(OwnDescriptor(file).c_str(), path.data(), path.size());
  if (length < 0) return Error{ErrorCode::kIo, "/proc is needed to read files safely", ""};
  return std::string(path.data(), static_cast<std::size_t>(length));
}

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenFileBelow(const std::string& folder,
                                                  const std::string& relative,
                                                  std::uint64_t max_bytes) {
  // O_PATH finds a file without opening it: first it is looked at, then that very file is opened.
  const std::string top = folder.empty() ? "/" : folder;
  const Descriptor root(open(top.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root.good()) return SystemError(errno);
  const Descriptor found(openat(root.get(), relative.c_str() + 1, O_PATH | O_CLOEXEC));
  if (!found.good()) return SystemError(errno);
  const Result<std::string> real_root = RealPath(root);
  if (!real_root.ok()) return real_root.error();
  const Result<std::string> real = RealPath(found);
  if (!real.ok()) return real.error();
  if (*real_root != "/" && !real->starts_with(*real_root + "/")) {
    return Error{ErrorCode::kIo, "a symbolic link leads out of the root", ""};
  }
  struct stat info {};
  if (fstat(found.get(), &info) != 0) return SystemError(errno);
  if (!S_ISREG(info.st_mode)) return Error{ErrorCode::kIo, "is no regular file", ""};
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor file(open(OwnDescriptor(found).c_str(), kFlags));
  if (!file.good()) return SystemError(errno);
  return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(
      std::move(file), static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0)), max_bytes));
}

}  // namespace fss
