// How many bytes this process has read from one server, as the kernel counts them.
//
// cpprestsdk buffers a chunk of a chunked body, and the head of an answer, without a limit before
// it hands anything on: a server that sends one chunk of 2 GB fills memory unseen. The kernel
// sees it. Linux only (TCP_INFO, /proc/self/fd).
#pragma once

#include <cstdint>
#include <map>

namespace fss {

// Not thread safe; sockets may be opened and closed by other threads meanwhile.
class WireWatch {
 public:
  // Connections whose peer has this port: there is one such server at a time.
  explicit WireWatch(std::uint16_t peer_port);

  // Bytes read since construction over the connections that are open now. What a connection read
  // before is not counted; one that was closed no longer is.
  std::uint64_t BytesRead();

 private:
  using BytesByConnection = std::map<std::uint16_t, std::uint64_t>;  // by our own port
  BytesByConnection Scan() const;

  const std::uint16_t peer_port_;
  BytesByConnection before_;
};

}  // namespace fss
