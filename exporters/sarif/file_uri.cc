#include "exporters/sarif/file_uri.h"

namespace fss {
namespace {

// Characters that may stand in a path as they are. ":" may not in the first part of a relative one
// (it would read as a scheme), so it never does.
bool IsPathByte(char c) {
  constexpr std::string_view kMarks = "-._~!$&'()*+,;=@/";
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || kMarks.find(c) != std::string_view::npos;
}

}  // namespace

std::string FileUri(std::string_view file) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri;
  if (file.starts_with('/')) {
    uri = "file:///";
    while (file.starts_with('/')) file.remove_prefix(1);
  }
  while (file.starts_with("./")) file.remove_prefix(2);
  for (const char c : file) {
    if (IsPathByte(c)) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += kDigits[byte >> 4U];
    uri += kDigits[byte & 0xFU];
  }
  return uri;
}

bool StaysBelow(std::string_view uri) {
  return !uri.starts_with("file:") && uri != ".." && !uri.starts_with("../") &&
         uri.find("/../") == std::string_view::npos && !uri.ends_with("/..");
}

}  // namespace fss
