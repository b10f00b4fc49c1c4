// Lines out of a stream that comes in pieces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fss {

// Not thread safe. Holds at most one line, of at most `max_bytes`.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // Calls `take(line)` for each line that `piece` completes, without its line break; empty ones are
  // left out. `take` says false to get no more. False when a line is too long: give up then.
  template <typename Take>
  bool Add(std::string_view piece, const Take& take) {
    while (!piece.empty()) {
      const auto end = piece.find('\n');
      const std::string_view part = piece.substr(0, end);
      if (part.size() > max_bytes_ - held_.size()) return false;
      if (end == std::string_view::npos) {
        held_.append(part);
        return true;
      }
      piece.remove_prefix(end + 1);
      bool more = true;
      if (held_.empty()) {
        if (!part.empty()) more = take(part);
      } else {
        held_.append(part);
        more = take(std::string_view(held_));
        // Not clear(): a long line is rare, and its memory is not kept for that.
        held_ = std::string();
      }
      if (!more) return true;
    }
    return true;
  }

 private:
  const std::size_t max_bytes_;
  std::string held_;
};

}  // namespace fss
