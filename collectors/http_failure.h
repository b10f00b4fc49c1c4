// What a failure text of cpprestsdk means. Pure; safe from any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

// What a message shows of such a text.
inline constexpr std::size_t kMaxErrorBytes = 200;

// kTimeout, kUnreachable or kMalformed, with a text for people. `text` is the what() of an
// http_exception of cpprestsdk 2.10: its texts say at which step a request failed, its codes say
// little (a refused connection is "no route to host"). A text not known is kUnreachable.
Error ErrorFromHttpFailure(std::string_view text, bool timed_out);

}  // namespace fss
