#include "collectors/kube/unpacking.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace fss {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

int Digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

Error Broken(const char* what) { return {ErrorCode::kMalformed, what, ""}; }

class Inflater {
 public:
  Inflater() : good_(inflateInit2(&stream_, kGzipOnly) == Z_OK) {}
  ~Inflater() {
    if (good_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  Result<std::string> Run(std::string_view bytes, std::size_t limit) {
    if (!good_ || bytes.size() > std::numeric_limits<uInt>::max()) return Broken("cannot unpack");
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    std::string plain;
    std::array<char, 32UL * 1024> part{};
    for (;;) {
      stream_.next_out = reinterpret_cast<Bytef*>(part.data());
      stream_.avail_out = static_cast<uInt>(part.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t made = part.size() - stream_.avail_out;
      if (made > limit - plain.size()) {
        return Error{ErrorCode::kTooLarge, "unpacks to more than a plan has", ""};
      }
      plain.append(part.data(), made);
      if (code == Z_STREAM_END && stream_.avail_in == 0) return plain;
      // gzip allows several members one after the other.
      if (code == Z_STREAM_END && inflateReset(&stream_) == Z_OK) continue;
      if (code != Z_OK || (made == 0 && stream_.avail_in == 0)) return Broken("broken gzip");
    }
  }

 private:
  z_stream stream_{};
  const bool good_;
};

}  // namespace

Result<std::string> FromBase64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned group = 0;
  int digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '=') {
      ++padding;
      continue;
    }
    const int digit = Digit(c);
    if (digit < 0 || padding > 0) return Broken("not base64");
    group = (group << 6U) | static_cast<unsigned>(digit);
    if (++digits < 4) continue;
    for (const unsigned shift : {16U, 8U, 0U}) {
      bytes.push_back(static_cast<char>((group >> shift) & 0xFFU));
    }
    group = 0;
    digits = 0;
  }
  if (padding > 2 || (text.size() % 4) != 0 || digits == 1) return Broken("not base64");
  if (digits == 2) bytes.push_back(static_cast<char>((group >> 4U) & 0xFFU));
  if (digits == 3) {
    bytes.push_back(static_cast<char>((group >> 10U) & 0xFFU));
    bytes.push_back(static_cast<char>((group >> 2U) & 0xFFU));
  }
  return bytes;
}

bool LooksGzipped(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> Gunzipped(std::string_view bytes, std::size_t limit) {
  return Inflater().Run(bytes, limit);
}

}  // namespace fss
