// Text as it comes from outside: UTF-8 that may be broken, HTML escapes, sizes and durations for
// people. Pure functions; safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fss {

// `text` with every byte sequence that is not UTF-8 replaced by U+FFFD. Surrogates and overlong
// forms count as broken, as Prometheus and JSON parsers see them.
std::string ValidUtf8(std::string_view text);

// The longest prefix of at most `max_bytes` bytes that does not cut a character. `text` is UTF-8.
std::string_view TruncateUtf8(std::string_view text, std::size_t max_bytes);

// At most `max_bytes` bytes on one line for people: broken UTF-8, control characters and line
// breaks become spaces or U+FFFD, a cut is shown by "…" (counted).
std::string OneLine(std::string_view text, std::size_t max_bytes);

// Undoes the escaping of /jobs/:jid/plan descriptions (Flink 1.x and 2.x, JsonPlanGenerator):
// &quot; &amp; &lt; &gt; &apos; &nbsp; and numeric references. Unknown references stay as they are.
std::string UnescapeHtml(std::string_view text);

// "0 B", "512 B", "12 KiB", "1.4 MiB": binary units, at most one decimal below 100.
std::string FormatBytes(std::int64_t bytes);

// "250 ms", "3 s", "5 min", "2.5 h", "3 d": for ages and rates, rounded for people.
std::string FormatAge(std::int64_t millis);

// How many terminal columns `text` (UTF-8) takes: wide East Asian characters count two, combining
// marks none.
std::size_t DisplayWidth(std::string_view text);

}  // namespace fss
