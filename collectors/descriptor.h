// A file descriptor that closes itself, and what an errno means. Thread safety: none.
#pragma once

#include "sidecar/base/result.h"

namespace fss {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] bool good() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

// kNotFound for ENOENT and ENOTDIR, else kIo. Without context: the caller knows the name to show.
Error SystemError(int error);

}  // namespace fss
