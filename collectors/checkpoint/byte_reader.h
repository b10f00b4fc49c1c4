// Java's DataInput over bytes in memory. As with DataReader the first trouble sticks, and every
// later read gives zero or nothing. A value; not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fss {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint8_t U8() { return static_cast<std::uint8_t>(Number<1>()); }
  std::uint16_t U16() { return static_cast<std::uint16_t>(Number<2>()); }
  std::int32_t I32() { return static_cast<std::int32_t>(Number<4>()); }
  std::int64_t I64() { return static_cast<std::int64_t>(Number<8>()); }

  // A text's bytes, still in Java's modified UTF-8.
  std::string_view Text() { return Take(U16()); }
  std::string_view Take(std::uint64_t bytes) {
    if (!Has(bytes)) return {};
    pos_ += static_cast<std::size_t>(bytes);
    return bytes_.substr(pos_ - static_cast<std::size_t>(bytes), static_cast<std::size_t>(bytes));
  }

  // A number of things that take at least `least_bytes` each: never negative, nor more than fit.
  std::int32_t Count(std::uint64_t least_bytes) {
    const std::int32_t count = I32();
    if (count < 0) Fail();
    return Has(static_cast<std::uint64_t>(count) * least_bytes) ? count : 0;
  }

  // The reading cannot go on. `RanOut`: because bytes were asked for that are not there.
  void Fail() { failed_ = true; }
  [[nodiscard]] bool ok() const { return !failed_; }
  [[nodiscard]] bool RanOut() const { return ran_out_; }

  [[nodiscard]] std::string_view all() const { return bytes_; }
  [[nodiscard]] std::string_view rest() const { return bytes_.substr(pos_); }
  [[nodiscard]] std::size_t pos() const { return pos_; }
  // Starts again at `pos`, as if nothing had failed.
  void Seek(std::size_t pos) {
    pos_ = pos < bytes_.size() ? pos : bytes_.size();
    failed_ = ran_out_ = false;
  }

 private:
  bool Has(std::uint64_t bytes) {
    if (failed_) return false;
    if (bytes <= bytes_.size() - pos_) return true;
    failed_ = ran_out_ = true;
    return false;
  }
  template <std::size_t kBytes>
  std::uint64_t Number() {
    std::uint64_t number = 0;
    for (const char byte : Take(kBytes)) {
      number = (number << 8U) | static_cast<std::uint8_t>(byte);
    }
    return number;
  }

  std::string_view bytes_;
  std::size_t pos_ = 0;
  bool failed_ = false;
  bool ran_out_ = false;
};

}  // namespace fss
