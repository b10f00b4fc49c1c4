#include "exporters/http/gzip.h"

#include <strings.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace fss {
namespace {

// zlib's windowBits for the largest window, with a gzip header and trailer.
constexpr int kGzipWindowBits = 15 + 16;
constexpr int kDefaultMemLevel = 8;
constexpr std::size_t kPieceBytes = 32UL * 1024;
// avail_in is 32 bits wide.
constexpr std::size_t kMostAtOnce = UINT32_MAX;

// zlib's interface is not const correct: it does not write to its input.
Bytef* Input(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// Whether the parameters of a coding say that it is unwanted: a q of zero.
bool Refused(std::string_view parameters) {
  const std::string_view q = Trim(parameters);
  if (q.size() < 3 || !EqualsIgnoringCase(q.substr(0, 2), "q=")) {
    return false;
  }
  return q.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

Gzip::Gzip() : stream_(std::make_unique<z_stream>()) {
  failed_ = deflateInit2(stream_.get(), Z_BEST_SPEED, Z_DEFLATED, kGzipWindowBits, kDefaultMemLevel,
                         Z_DEFAULT_STRATEGY) != Z_OK;
}

Gzip::~Gzip() { deflateEnd(stream_.get()); }

void Gzip::Deflate(int flush) {
  std::array<char, kPieceBytes> piece;
  // zlib is done when it leaves room in the output.
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_->avail_out = static_cast<uInt>(piece.size());
    failed_ = failed_ || deflate(stream_.get(), flush) == Z_STREAM_ERROR;
    compressed_.append(piece.data(), piece.size() - stream_->avail_out);
  } while (!failed_ && stream_->avail_out == 0);
}

void Gzip::Add(std::string_view plain) {
  while (!plain.empty() && !failed_) {
    const std::string_view next = plain.substr(0, kMostAtOnce);
    stream_->next_in = Input(next);
    stream_->avail_in = static_cast<uInt>(next.size());
    Deflate(Z_NO_FLUSH);
    plain.remove_prefix(next.size());
  }
}

std::string Gzip::Finish() {
  if (!failed_) {
    Deflate(Z_FINISH);
  }
  compressed_.shrink_to_fit();
  return failed_ ? std::string() : std::move(compressed_);
}

bool Gunzip(std::string_view compressed, const std::function<bool(std::string_view)>& sink) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindowBits) != Z_OK) {
    return false;
  }
  stream.next_in = Input(compressed);
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(compressed.size(), kMostAtOnce));
  std::array<char, kPieceBytes> piece;
  int code = Z_OK;
  bool wanted = true;
  while (code == Z_OK && wanted) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    const std::string_view plain(piece.data(), piece.size() - stream.avail_out);
    wanted = plain.empty() || sink(plain);
  }
  inflateEnd(&stream);
  return code == Z_STREAM_END && wanted;
}

bool AcceptsGzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view coding = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const std::size_t semicolon = std::min(coding.find(';'), coding.size());
    if (EqualsIgnoringCase(Trim(coding.substr(0, semicolon)), "gzip")) {
      return !Refused(coding.substr(std::min(semicolon + 1, coding.size())));
    }
  }
  return false;
}

}  // namespace fss
