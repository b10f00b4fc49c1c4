// The address to listen on, from what people write in --listen.
#pragma once

#include <string>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

// "host:port", "[v6 address]:port" or ":port" (all addresses; so are "*:port" and "[::]:port"), in
// civetweb's words: "127.0.0.1:9249", "[::1]:9249", "+9249" (IPv4 and IPv6), "0.0.0.0:9249" where
// the machine has no IPv6. Host names are resolved here, IPv4 before IPv6. Port 0 is allowed.
// kInvalidArgument for anything else and for a name that does not resolve; its context is `listen`.
Result<std::string> CivetwebListeningPort(std::string_view listen);

// Connects to `host` (numeric, an IPv6 address in brackets, empty for this machine) and closes at
// once, whatever comes of it: wakes a thread that accepts there.
void TouchListener(std::string_view host, int port);

}  // namespace fss
