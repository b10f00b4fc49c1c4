// The address of a file as Flink writes it, taken apart. Pure; safe from any thread.
#pragma once

#include <string>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

struct Location {
  std::string scheme;     // "file", "s3" (s3a, s3p and s3n too), or another one in lower case
  std::string authority;  // a bucket or host; empty for most files
  std::string path;       // "/job/chk-7/_metadata": no "//", no slash at the end; empty for a root

  bool operator==(const Location&) const = default;
};

// "file:/x", "file:///x", "/x", "s3://bucket/x", "hdfs://name:8020/x". Several slashes are one, as
// in Flink's Path (1.8 to 2.3). Escapes are not undone: Flink writes paths without.
// kInvalidArgument, without context, for what is no address, has control characters, is longer than
// 4,096 bytes, or has "." or ".." for a name: then it may lie anywhere.
Result<Location> ParseLocation(std::string_view address);

// Whether `location` is `root` or lies below it; "/a/bc" does not lie below "/a/b".
bool IsBelow(const Location& root, const Location& location);

// "file:/x", "s3://bucket/x": for people.
std::string Shown(const Location& location);

}  // namespace fss
