#include "collectors/wire_watch.h"

#include <dirent.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstdlib>
#include <memory>
#include <optional>

namespace fss {
namespace {

using PortGetter = int (*)(int, sockaddr*, socklen_t*);

// The port of one end of a TCP socket; absent when `fd` is none, or no longer.
std::optional<std::uint16_t> Port(int fd, PortGetter get) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (get(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return std::nullopt;
  if (address.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
  }
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port);
  }
  return std::nullopt;
}

// Bytes that came and were read: what waits in the socket's buffer is the kernel's memory.
std::optional<std::uint64_t> BytesTaken(int fd) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  int waiting = 0;
  if (::ioctl(fd, FIONREAD, &waiting) != 0 || waiting < 0) return std::nullopt;
  const auto unread = static_cast<std::uint64_t>(waiting);
  return info.tcpi_bytes_received > unread ? info.tcpi_bytes_received - unread : 0;
}

}  // namespace

WireWatch::WireWatch(std::uint16_t peer_port) : peer_port_(peer_port), before_(Scan()) {}

std::uint64_t WireWatch::BytesRead() {
  std::uint64_t total = 0;
  for (const auto& [port, bytes] : Scan()) {
    const auto before = before_.find(port);
    if (before == before_.end()) {
      total += bytes;
    } else if (bytes >= before->second) {
      total += bytes - before->second;
    } else {
      // A new connection from a port that an earlier one had.
      total += bytes;
      before_.erase(before);
    }
  }
  return total;
}

WireWatch::BytesByConnection WireWatch::Scan() const {
  BytesByConnection connections;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), ::closedir);
  if (!folder) return connections;
  while (const dirent* entry = ::readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe)
    char* end = nullptr;
    const long fd = std::strtol(entry->d_name, &end, 10);
    if (end == entry->d_name || *end != '\0') continue;
    const int socket = static_cast<int>(fd);
    if (Port(socket, ::getpeername) != peer_port_) continue;
    const auto own = Port(socket, ::getsockname);
    const auto bytes = BytesTaken(socket);
    if (own && bytes) connections[*own] += *bytes;
  }
  return connections;
}

}  // namespace fss
