// Bytes in memory as a ByteSource: in pieces, with a false size, or with trouble on the way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "collectors/byte_source.h"

namespace fss {

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)), size_(bytes_.size()) {}

  // No read gives more than this.
  void SetPiece(std::size_t bytes) { piece_ = bytes; }
  void SetClaimedSize(std::uint64_t size) { size_ = size; }
  // The read that would begin at `pos` or behind fails.
  void FailAt(std::size_t pos, Error error) {
    fail_at_ = pos;
    error_ = std::move(error);
  }

  Result<std::size_t> Read(std::span<char> into) override {
    if (error_ && pos_ >= fail_at_) return *error_;
    const std::size_t bytes = std::min({into.size(), piece_, bytes_.size() - pos_});
    std::memcpy(into.data(), bytes_.data() + pos_, bytes);
    pos_ += bytes;
    return bytes;
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] std::size_t read() const { return pos_; }

 private:
  std::string bytes_;
  std::uint64_t size_;
  std::size_t piece_ = static_cast<std::size_t>(-1);
  std::size_t pos_ = 0;
  std::size_t fail_at_ = 0;
  std::optional<Error> error_;
};

}  // namespace fss
