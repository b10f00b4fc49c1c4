#include "collectors/counting_client.h"

#include <utility>

namespace fss {
namespace {

std::string OutcomeOf(const Result<RestAnswer>& answer) {
  if (!answer.ok()) return ErrorCodeName(answer.error().code);
  const int hundreds = answer->status / 100;
  if (hundreds < 1 || hundreds > 5) return ErrorCodeName(ErrorCode::kMalformed);
  return std::to_string(hundreds) + "xx";
}

class CountingClient final : public RestClient {
 public:
  CountingClient(std::unique_ptr<RestClient> client, RestCounters* counters)
      : client_(std::move(client)), counters_(counters) {}

  const std::string& url() const override { return client_->url(); }

  void GetEach(const std::vector<std::string>& paths, const OnAnswer& on_answer) override {
    client_->GetEach(paths, [&](std::size_t index, Result<RestAnswer> answer) {
      ++counters_->requests[OutcomeOf(answer)];
      if (answer.ok()) counters_->response_bytes += answer->body.size();
      on_answer(index, std::move(answer));
    });
  }

 private:
  const std::unique_ptr<RestClient> client_;
  RestCounters* const counters_;
};

}  // namespace

std::unique_ptr<RestClient> NewCountingRestClient(std::unique_ptr<RestClient> client,
                                                  RestCounters* counters) {
  return std::make_unique<CountingClient>(std::move(client), counters);
}

}  // namespace fss
