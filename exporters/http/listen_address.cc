#include "exporters/http/listen_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>

namespace fss {
namespace {

constexpr std::string_view kExpected = "expected host:port, [address]:port or :port";

struct HostAndPort {
  std::string host;  // without brackets; empty: all addresses
  std::uint16_t port = 0;
};

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (code != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return port;
}

std::optional<HostAndPort> Split(std::string_view listen) {
  const std::size_t colon = listen.rfind(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view host = listen.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) {
    host = host.substr(1, host.size() - 2);
  }
  // An IPv6 address needs brackets, and only an IPv6 address has them.
  if (bracketed != (host.find(':') != std::string_view::npos)) {
    return std::nullopt;
  }
  const std::optional<std::uint16_t> port = ParsePort(listen.substr(colon + 1));
  if (!port) {
    return std::nullopt;
  }
  const bool all = host.empty() || host == "*" || host == "::";
  return HostAndPort{all ? std::string() : std::string(host), *port};
}

// Whether an IPv6 socket can be bound: kernels with IPv6 switched off still hand out sockets.
bool Ipv6Usable() {
  const int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return false;
  }
  sockaddr_in6 any{};
  any.sin6_family = AF_INET6;
  const bool bound = bind(fd, reinterpret_cast<const sockaddr*>(&any), sizeof(any)) == 0;
  close(fd);
  return bound;
}

std::string NumericHost(const addrinfo& address) {
  std::array<char, NI_MAXHOST> host{};
  if (getnameinfo(address.ai_addr, address.ai_addrlen, host.data(), host.size(), nullptr, 0,
                  NI_NUMERICHOST) != 0) {
    return {};
  }
  return address.ai_family == AF_INET6 ? "[" + std::string(host.data()) + "]"
                                       : std::string(host.data());
}

// The numeric form of `host`, or an empty text.
std::string Resolve(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* raw = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &raw) != 0) {
    return {};
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(raw, &freeaddrinfo);
  const addrinfo* best = nullptr;
  for (const addrinfo* address = raw; address != nullptr; address = address->ai_next) {
    const bool better =
        best == nullptr || (best->ai_family != AF_INET && address->ai_family == AF_INET);
    if (better) {
      best = address;
    }
  }
  return best == nullptr ? std::string() : NumericHost(*best);
}

}  // namespace

Result<std::string> CivetwebListeningPort(std::string_view listen) {
  // A zero byte or a comma would mean something else further down.
  const bool clean = listen.find_first_of(std::string_view("\0, \t\r\n", 6)) == listen.npos;
  const std::optional<HostAndPort> parsed = clean ? Split(listen) : std::nullopt;
  if (!parsed) {
    return Error{ErrorCode::kInvalidArgument, std::string(kExpected), std::string(listen)};
  }
  const std::string port = std::to_string(parsed->port);
  if (parsed->host.empty()) {
    return Ipv6Usable() ? "+" + port : "0.0.0.0:" + port;
  }
  const std::string host = Resolve(parsed->host);
  if (host.empty()) {
    return Error{ErrorCode::kInvalidArgument, "the host does not resolve", std::string(listen)};
  }
  return host + ":" + port;
}

void TouchListener(std::string_view host, int port) {
  const bool v6 = host.starts_with("[");
  const std::string name(v6 ? host.substr(1, host.size() - 2) : host);
  addrinfo hints{};
  hints.ai_family = v6 ? AF_INET6 : AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* raw = nullptr;
  // Without a name: the loopback address.
  if (getaddrinfo(name.empty() ? nullptr : name.c_str(), std::to_string(port).c_str(), &hints,
                  &raw) != 0) {
    return;
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(raw, &freeaddrinfo);
  const int fd = socket(raw->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0) {
    (void)connect(fd, raw->ai_addr, raw->ai_addrlen);
    close(fd);
  }
}

}  // namespace fss
