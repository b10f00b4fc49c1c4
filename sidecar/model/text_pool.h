// Texts that many hold, kept once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace fss {

using SharedText = std::shared_ptr<const std::string>;

// Not thread safe; the texts it gives out may be held and read by any thread.
class TextPool {
 public:
  // The one copy of `text`.
  SharedText Share(std::string_view text);
  // Forgets the texts that nobody else holds.
  void Trim();

  std::size_t size() const { return texts_.size(); }

 private:
  std::unordered_map<std::string_view, SharedText> texts_;  // keys view their values
};

}  // namespace fss
