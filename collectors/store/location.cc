#include "collectors/store/location.h"

#include <algorithm>
#include <cstddef>

namespace fss {
namespace {

constexpr std::size_t kMaxLocationBytes = 4096;  // PATH_MAX; a key of S3 has 1,024 at most

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool IsSchemeCharacter(char c) {
  return IsLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

// "s3a" of "s3a:…" in lower case; empty where no scheme begins the text.
std::string SchemeOf(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !IsLetter(text.front())) return "";
  std::string scheme(text.substr(0, colon));
  if (!std::all_of(scheme.begin(), scheme.end(), IsSchemeCharacter)) return "";
  for (char& c : scheme) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return scheme;
}

Result<std::string> NormalPath(std::string_view text) {
  std::string path;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('/', at), text.size());
    const std::string_view name = text.substr(at, end - at);
    if (name == "." || name == "..") {
      return Error{ErrorCode::kInvalidArgument,
                   "has the name '" + std::string(name) + "' in its path", ""};
    }
    if (!name.empty()) {
      path += '/';
      path += name;
    }
    at = end + 1;
  }
  return path;
}

}  // namespace

Result<Location> ParseLocation(std::string_view address) {
  const auto refuse = [](const char* why) { return Error{ErrorCode::kInvalidArgument, why, ""}; };
  if (address.size() > kMaxLocationBytes) return refuse("is longer than 4096 bytes");
  const bool control = std::any_of(address.begin(), address.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (control) return refuse("has control characters");
  Location location;
  location.scheme = SchemeOf(address);
  std::string_view rest = address;
  if (location.scheme.empty()) {
    location.scheme = "file";
  } else {
    rest.remove_prefix(location.scheme.size() + 1);
    if (rest.starts_with("//")) {
      rest.remove_prefix(2);
      const auto end = std::min(rest.find('/'), rest.size());
      location.authority = rest.substr(0, end);
      rest.remove_prefix(end);
    }
  }
  const bool absolute = rest.starts_with('/') || (rest.empty() && !location.authority.empty());
  if (!absolute) return refuse("is no absolute path and no URL");
  for (const char* alias : {"s3a", "s3p", "s3n"}) {
    if (location.scheme == alias) location.scheme = "s3";
  }
  Result<std::string> path = NormalPath(rest);
  if (!path.ok()) return path.error();
  location.path = *std::move(path);
  return location;
}

bool IsBelow(const Location& root, const Location& location) {
  return root.scheme == location.scheme && root.authority == location.authority &&
         location.path.starts_with(root.path) &&
         (location.path.size() == root.path.size() || location.path[root.path.size()] == '/');
}

std::string Shown(const Location& location) {
  std::string shown = location.scheme + ":";
  if (!location.authority.empty()) shown += "//" + location.authority;
  return shown + (location.path.empty() ? "/" : location.path);
}

}  // namespace fss
