// Java's DataInput over a ByteSource: big-endian numbers and texts, read forward, once.
//
// The first trouble sticks: every later read gives zero or nothing at once, so that a caller looks
// at ok() per loop turn, not per number. No length is trusted: what would reach past the end that
// the source claims is refused before a byte of it is kept. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/byte_source.h"
#include "sidecar/base/result.h"

namespace fss {

class DataReader {
 public:
  explicit DataReader(ByteSource& source) : source_(source), size_(source.size()) {}

  // Each reads one thing. `what` names it in the error: "the number of operators"; it is kept as
  // a pointer.
  std::uint8_t U8(const char* what) { return static_cast<std::uint8_t>(Number<1>(what)); }
  std::int32_t I32(const char* what) { return static_cast<std::int32_t>(Number<4>(what)); }
  std::int64_t I64(const char* what) { return static_cast<std::int64_t>(Number<8>(what)); }

  // A number of things that take at least `least_bytes` each. Never negative, and never more than
  // fit into what is left.
  std::int32_t Count(std::uint64_t least_bytes, const char* what);
  // The length of bytes that follow; fits into what is left.
  std::uint64_t Length(const char* what);

  // A text as DataOutput.writeUTF wrote it, as UTF-8.
  std::string Text(const char* what);
  void SkipText(const char* what);

  void Skip(std::uint64_t bytes, const char* what);
  // Appends the next `bytes` bytes.
  void Append(std::uint64_t bytes, std::string* out, const char* what);

  // True once the source has no more. Fails where it holds less than it claimed.
  bool AtEnd();

  [[nodiscard]] bool ok() const { return !error_; }
  // Only when not ok().
  [[nodiscard]] const Error& error() const { return *error_; }
  // Ends the reading: kMalformed, "byte 812: <message>".
  void Fail(const std::string& message);

  [[nodiscard]] std::uint64_t offset() const { return read_ - (end_ - pos_); }
  [[nodiscard]] std::uint64_t left() const { return size_ > offset() ? size_ - offset() : 0; }

 private:
  static constexpr std::size_t kBufferBytes = 64U << 10U;

  template <std::size_t kBytes>
  std::uint64_t Number(const char* what) {
    if (end_ - pos_ < kBytes && !Fill(kBytes, what)) return 0;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < kBytes; ++i) {
      number = (number << 8U) | static_cast<std::uint8_t>(buffer_[pos_ + i]);
    }
    pos_ += kBytes;
    return number;
  }
  // Makes the buffer hold `bytes` (at most its size) unread bytes. False after a failure.
  bool Fill(std::size_t bytes, const char* what);
  bool Fits(std::uint64_t bytes, const char* what);
  // The next `bytes` bytes, which fit into the buffer; empty after a failure.
  std::string_view Take(std::size_t bytes, const char* what);

  ByteSource& source_;
  std::uint64_t size_;
  std::uint64_t read_ = 0;  // bytes that the source gave
  std::size_t pos_ = 0;
  std::size_t end_ = 0;
  std::optional<Error> error_;
  std::array<char, kBufferBytes> buffer_;
};

}  // namespace fss
