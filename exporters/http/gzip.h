// gzip, over zlib.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;  // zlib's

namespace fss {

// Compresses what comes in pieces, at zlib's fastest level: a page of series shrinks to a thirtieth
// even so. Not thread safe.
class Gzip {
 public:
  Gzip();
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  void Add(std::string_view plain);
  // All that was added, compressed; empty when zlib has no memory. Call once, at the end.
  std::string Finish();

 private:
  void Deflate(int flush);

  std::unique_ptr<z_stream_s> stream_;
  bool failed_ = false;
  std::string compressed_;
};

// Sends what `compressed` (from Gzip) holds in pieces, until `sink` says false. False when it was
// stopped or the bytes are broken.
bool Gunzip(std::string_view compressed, const std::function<bool(std::string_view)>& sink);

// Whether an Accept-Encoding header's value allows gzip ("gzip;q=0" does not).
bool AcceptsGzip(std::string_view accept_encoding);

}  // namespace fss
