// The bytes of one file, wherever it lies, read forward once.
//
// Not thread-safe: one reader at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sidecar/base/result.h"

namespace fss {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `into` from the front with what comes next and returns how many bytes that were: at
  // least one, 0 only at the end. kIo, kTimeout, kUnreachable when the place stops answering;
  // after an error nothing more is to be read.
  virtual Result<std::size_t> Read(std::span<char> into) = 0;

  // Bytes of the whole file as its place tells it, from the start on. It is a claim: a file can
  // be cut while it is read.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

}  // namespace fss
