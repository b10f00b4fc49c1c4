#include "exporters/http/page_cache.h"

#include <algorithm>

namespace fss {
namespace {

constexpr std::chrono::seconds kLeastAge{1};
constexpr int kShare = 10;

}  // namespace

std::shared_ptr<const MetricsBody> PageCache::Of(const std::shared_ptr<const Fleet>& fleet) {
  const std::lock_guard lock(mutex_);
  const auto begin = now_();
  if (page_ != nullptr && (fleet == fleet_.lock() || begin < fresh_until_)) {
    return page_;
  }
  page_ = std::make_shared<const MetricsBody>(*fleet);
  fleet_ = fleet;
  const auto end = now_();
  fresh_until_ = end + std::max<SteadyClock::duration>(kLeastAge, kShare * (end - begin));
  return page_;
}

}  // namespace fss
