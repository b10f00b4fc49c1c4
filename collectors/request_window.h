// RestClient::GetEach over a Transport: bounded concurrency, deadlines that hold, and an eye on
// servers that send without end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/exchange.h"
#include "collectors/rest_client.h"
#include "collectors/wire_watch.h"

namespace fss {

// One batch of requests; make one per call. Not thread safe.
class RequestWindow {
 public:
  // `transport` outlives it. `base_path` goes before each path; `port` is the server's.
  RequestWindow(const RestClientOptions& options, Transport* transport, std::string base_path,
                std::uint16_t port);

  // As RestClient::GetEach. A server that answers none of a whole window of requests is not asked
  // the rest of them: they get the error of the last. A frozen JobManager with a thousand jobs
  // costs two time-outs then, not hundreds.
  void GetEach(const std::vector<std::string>& paths, const RestClient::OnAnswer& on_answer);

 private:
  using Exchanges = std::vector<std::shared_ptr<Exchange>>;

  void Start(std::size_t index, const std::string& path);
  Exchanges NextEnded();
  void Expire(const std::shared_ptr<Exchange>& exchange, SteadyTime now, Exchanges* ended);
  void WatchTheWire(SteadyTime now);
  void NoteOutcome(const Exchange& exchange);

  const RestClientOptions options_;
  Transport* const transport_;
  const std::string base_path_;
  const std::shared_ptr<EndedExchanges> ended_ = std::make_shared<EndedExchanges>();
  Exchanges in_flight_;
  std::size_t silent_ = 0;         // requests in a row that got no answer
  std::optional<Error> given_up_;  // why the rest is not asked

  WireWatch wire_;
  SteadyTime watched_;
  const std::uint64_t delivered_before_;
  std::uint64_t started_ = 0;
};

}  // namespace fss
