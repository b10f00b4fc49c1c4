#include "sidecar/model/text_pool.h"

namespace fss {

SharedText TextPool::Share(std::string_view text) {
  const auto found = texts_.find(text);
  if (found != texts_.end()) return found->second;
  auto shared = std::make_shared<const std::string>(text);
  texts_.emplace(*shared, shared);
  return shared;
}

void TextPool::Trim() {
  std::erase_if(texts_, [](const auto& text) { return text.second.use_count() == 1; });
}

}  // namespace fss
