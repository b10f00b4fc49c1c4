#include "collectors/exchange.h"

#include <utility>

namespace fss {

void EndedExchanges::Push(std::shared_ptr<Exchange> exchange) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_.push_back(std::move(exchange));
  }
  ended_some_.notify_one();
}

std::vector<std::shared_ptr<Exchange>> EndedExchanges::Take(SteadyTime deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  ended_some_.wait_until(lock, deadline, [this] { return !ended_.empty(); });
  return std::exchange(ended_, {});
}

}  // namespace fss
