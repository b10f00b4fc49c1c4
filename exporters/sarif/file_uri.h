// File names as URIs.
#pragma once

#include <string>
#include <string_view>

namespace fss {

// A file name as a URI reference (RFC 3986): "/plans/a b.json" is "file:///plans/a%20b.json",
// "./plans/a.json" is "plans/a.json". Any bytes come out as ASCII. Pure; safe from any thread.
std::string FileUri(std::string_view file);

// Whether the URI is relative and stays below the folder that it is relative to.
bool StaysBelow(std::string_view uri);

}  // namespace fss
