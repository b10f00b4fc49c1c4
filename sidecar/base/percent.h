// Percent-encoding of URLs (RFC 3986). Pure functions; safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace fss {

// "p%40ss" → "p@ss". A '%' that starts no escape stays. The bytes may be anything, NUL included.
std::string PercentDecoded(std::string_view text);

// Every byte but A-Z a-z 0-9 - . _ ~ and those of `keep` as %XX, in capitals: what AWS' signatures
// ask for ("UriEncode"), and right for forms too.
std::string PercentEncoded(std::string_view bytes, std::string_view keep = "");

}  // namespace fss
