// Label values out of untrusted text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fss {

// The most bytes of a label value. Job names may hold a whole SQL text: a label that long is paid
// for in every series of every scrape. Jobs whose names are equal after the cut differ by job_id.
inline constexpr std::size_t kMaxLabelBytes = 128;

// `text` as a label value: valid UTF-8 of at most kMaxLabelBytes bytes, no character cut. Line
// feeds and tabs stay (the serializer escapes them); other control characters and Unicode's line
// separators, on which line readers stumble, become spaces. Pure; safe from any thread.
std::string LabelValue(std::string_view text);

}  // namespace fss
