// RestClients for tests: one that answers from a table, one that replays a recorded folder.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/rest_client.h"

namespace fss {

// Answers by path; everything asked is kept in order. A path without an answer gives a 404 as
// Flink writes it.
class ScriptedClient final : public RestClient {
 public:
  explicit ScriptedClient(std::string url = "http://jobmanager:8081") : url_(std::move(url)) {}

  void Answer(const std::string& path, std::string body, int status = 200) {
    answers_.insert_or_assign(
        path, RestAnswer{status, "application/json; charset=UTF-8", std::move(body)});
  }
  void Fail(const std::string& path, Error error) {
    answers_.insert_or_assign(path, std::move(error));
  }
  // Every path fails from now on, or no longer.
  void FailAll(const Error& error) { down_ = error; }
  void Recover() { down_.reset(); }

  // Paths asked since the last call.
  std::vector<std::string> TakeAsked() { return std::exchange(asked_, {}); }

  const std::string& url() const override { return url_; }

  void GetEach(const std::vector<std::string>& paths, const OnAnswer& on_answer) override {
    // Last first: callers must not rely on an order.
    for (std::size_t i = paths.size(); i-- > 0;) {
      asked_.push_back(paths[i]);
      on_answer(i, down_ ? Result<RestAnswer>(*down_) : Find(paths[i]));
    }
  }

 private:
  Result<RestAnswer> Find(const std::string& path) const {
    const auto found = answers_.find(path);
    if (found != answers_.end()) return found->second;
    return RestAnswer{404, "application/json", R"({"errors":["Not found: )" + path + R"("]})"};
  }

  std::string url_;
  std::map<std::string, Result<RestAnswer>> answers_;
  std::optional<Error> down_;
  std::vector<std::string> asked_;
};

}  // namespace fss
