#include "collectors/base_url.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "sidecar/base/percent.h"

namespace fss {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// What may be shown of a URL that could not be used: all before an '@' is left out.
std::string Shown(std::string_view text) {
  const auto at = text.rfind('@');
  return at == std::string_view::npos ? std::string(text) : "…@" + std::string(text.substr(at + 1));
}

std::string Base64(std::string_view bytes) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8U) | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text.push_back(k <= have ? kAlphabet[(group >> (18U - 6U * k)) & 0x3FU] : '=');
    }
  }
  return text;
}

// The port of "host" or "host:8081", from 1 to 65535; absent for a port that is none.
std::optional<std::uint16_t> PortOf(std::string_view authority, std::uint16_t otherwise) {
  const auto colon = authority.rfind(':');
  if (colon == std::string_view::npos || authority.find(']', colon) != std::string_view::npos) {
    return otherwise;
  }
  const std::string_view text = authority.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

}  // namespace

Result<BaseUrl> ParseBaseUrl(std::string_view text) {
  const auto refuse = [text](const char* why) {
    return Error{ErrorCode::kInvalidArgument, why, Shown(text)};
  };
  const bool printable = std::none_of(text.begin(), text.end(),
                                      [](unsigned char c) { return c <= 0x20 || c == 0x7F; });
  if (!printable) return refuse("a URL has no spaces or control characters");

  const auto scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return refuse("not an http:// or https:// URL");
  const std::string scheme = Lower(text.substr(0, scheme_end));
  if (scheme != "http" && scheme != "https") return refuse("not an http:// or https:// URL");

  std::string_view rest = text.substr(scheme_end + 3);
  const auto authority_end = rest.find_first_of("/?#");
  std::string_view authority = rest.substr(0, authority_end);
  std::string_view path =
      authority_end == std::string_view::npos ? std::string_view() : rest.substr(authority_end);
  if (path.find_first_of("?#") != std::string_view::npos) {
    return refuse("a base URL has no query and no fragment");
  }
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);

  BaseUrl base;
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
    const auto colon = user.find(':');
    std::string secret = PercentDecoded(user.substr(0, colon));
    secret += ':';
    if (colon != std::string_view::npos) secret += PercentDecoded(user.substr(colon + 1));
    base.authorization = "Basic " + Base64(secret);
  }
  if (authority.empty() || authority.front() == ':') return refuse("a URL without a host");

  const auto port = PortOf(authority, scheme == "https" ? 443 : 80);
  if (!port) return refuse("a URL with a port that is none");
  // cpprestsdk 2.10 hands "[::1]", brackets and all, to the resolver.
  if (authority.front() == '[') return refuse("an IPv6 address in a URL is not supported, name it");

  base.port = *port;
  base.origin = scheme + "://" + std::string(authority);
  base.path = std::string(path);
  base.url = base.origin + base.path;
  return base;
}

}  // namespace fss
