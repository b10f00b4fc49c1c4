// One request and its outcome, between the thread that calls RestClient and the HTTP library's.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/base/result.h"

namespace fss {

using SteadyTime = std::chrono::steady_clock::time_point;

// Shared by two threads: what both touch is atomic, or handed over by EndedExchanges' lock.
struct Exchange {
  enum class Stop { kNone, kDeadline, kTooLarge };

  Exchange() = default;
  virtual ~Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Once, after it ended without an error.
  virtual std::string TakeBody() = 0;

  std::size_t index = 0;
  std::string target;  // base path and path
  SteadyTime deadline;
  std::atomic<Stop> stop{Stop::kNone};  // why we cancelled it
  std::atomic<bool> finished{false};    // who sets it first, ends it
  // The outcome; written before it is pushed to EndedExchanges.
  int status = 0;
  std::string content_type;
  std::optional<Error> error;
};

// Exchanges that ended, on their way to the calling thread. Outlives the call when one of them
// had to be given up.
class EndedExchanges {
 public:
  void Push(std::shared_ptr<Exchange> exchange);
  // What ended since the last call; waits for at least one, or until `deadline`.
  std::vector<std::shared_ptr<Exchange>> Take(SteadyTime deadline);

 private:
  std::mutex mutex_;
  std::condition_variable ended_some_;
  std::vector<std::shared_ptr<Exchange>> ended_;
};

// What an HTTP library does for us. Neither Send nor Cancel blocks.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::shared_ptr<Exchange> NewExchange() = 0;
  // GETs the target. It ends in `ended` exactly once, whatever happens.
  virtual void Send(const std::shared_ptr<Exchange>& exchange,
                    const std::shared_ptr<EndedExchanges>& ended) = 0;
  // Breaks the connection; the exchange ends soon with an error that follows from its `stop`.
  virtual void Cancel(const std::shared_ptr<Exchange>& exchange) = 0;
  // Bytes of bodies that were taken from the connections, from the start of the process.
  virtual std::uint64_t BytesDelivered() const = 0;
};

}  // namespace fss
