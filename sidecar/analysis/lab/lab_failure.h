// How the checks of the lab say what does not hold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "sidecar/base/result.h"

namespace fss {

// What a message shows of a name or a value of the learner's.
inline constexpr std::size_t kShownLabBytes = 80;

inline Error LabFailure(std::string message) {
  return {ErrorCode::kMalformed, std::move(message), ""};
}

// Of a file of the lab's folder.
inline Error LabFailure(std::string_view file, std::string message) {
  return {ErrorCode::kMalformed, std::move(message), std::string(file)};
}

// The same error, said of a file.
inline Error InLabFile(const Error& error, std::string_view file) {
  return {error.code, error.message, std::string(file)};
}

}  // namespace fss
