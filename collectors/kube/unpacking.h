// Base64 and gzip, as ConfigMaps hold bytes. Pure; safe from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

// kMalformed for what is not base64 (RFC 4648, padded).
Result<std::string> FromBase64(std::string_view text);

bool LooksGzipped(std::string_view bytes);

// What `bytes` unpack to. kTooLarge beyond `limit`, which is never exceeded in memory; kMalformed
// for what is broken or cut short.
Result<std::string> Gunzipped(std::string_view bytes, std::size_t limit);

}  // namespace fss
