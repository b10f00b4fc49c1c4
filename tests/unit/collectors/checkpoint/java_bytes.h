// Writes what Java's DataOutput would: the bytes of checkpoints for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fss {

class JavaBytes {
 public:
  JavaBytes& U8(std::uint8_t number) { return Number(number, 1); }
  JavaBytes& U16(std::uint16_t number) { return Number(number, 2); }
  JavaBytes& I32(std::int32_t number) { return Number(static_cast<std::uint32_t>(number), 4); }
  JavaBytes& I64(std::int64_t number) { return Number(static_cast<std::uint64_t>(number), 8); }
  JavaBytes& Text(std::string_view text) {
    U16(static_cast<std::uint16_t>(text.size()));
    return Raw(text);
  }
  JavaBytes& Raw(std::string_view bytes) {
    bytes_.append(bytes);
    return *this;
  }
  // A length and the bytes.
  JavaBytes& Framed(std::string_view bytes) {
    I32(static_cast<std::int32_t>(bytes.size()));
    return Raw(bytes);
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  JavaBytes& Number(std::uint64_t number, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      bytes_.push_back(static_cast<char>((number >> shift) & 0xFFU));
    }
    return *this;
  }

  std::string bytes_;
};

}  // namespace fss
