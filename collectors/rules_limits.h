// What a file of rules may have.
#pragma once

#include <cstddef>

namespace fss {

// A ConfigMap holds no more than this either.
inline constexpr std::size_t kMaxRulesBytes = std::size_t{1} << 20U;
// Rules of one kind, and bytes of one pattern: every finding is held against all of them.
inline constexpr std::size_t kMaxRules = 2'000;
inline constexpr std::size_t kMaxPatternBytes = 512;
// What a message shows of a value or a key.
inline constexpr std::size_t kShownRuleBytes = 60;
inline constexpr std::size_t kMaxReasonBytes = 1'024;

}  // namespace fss
