// An HttpClient for tests: answers from a list, and keeps what it was asked.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/store/http_client.h"

namespace fss {

class ScriptedHttp final : public HttpClient {
 public:
  // `length` is what the head says; 0: the body's.
  void Answer(long status, std::string body, std::uint64_t length = 0) {
    HttpHead head;
    head.status = status;
    head.content_length = length == 0 ? body.size() : length;
    answers_.emplace_back(Scripted{head, std::move(body)});
  }
  void Fail(Error error) { answers_.emplace_back(std::move(error)); }

  const std::vector<HttpRequest>& asked() const { return asked_; }

  Result<std::unique_ptr<HttpAnswer>> Send(const HttpRequest& request) override {
    asked_.push_back(request);
    if (answers_.empty()) return Error{ErrorCode::kUnreachable, "nothing is scripted", ""};
    const Result<Scripted> next = answers_.front();
    answers_.pop_front();
    if (!next.ok()) return next.error();
    return std::unique_ptr<HttpAnswer>(std::make_unique<Replay>(*next));
  }
  void Cancel() override {}

 private:
  struct Scripted {
    HttpHead head;
    std::string body;
  };

  class Replay : public HttpAnswer {
   public:
    explicit Replay(Scripted scripted) : scripted_(std::move(scripted)) {}
    const HttpHead& head() const override { return scripted_.head; }
    Result<std::size_t> Read(std::span<char> into) override {
      const std::size_t length = std::min(into.size(), scripted_.body.size() - used_);
      std::copy_n(scripted_.body.data() + used_, length, into.data());
      used_ += length;
      return length;
    }

   private:
    Scripted scripted_;
    std::size_t used_ = 0;
  };

  std::deque<Result<Scripted>> answers_;
  std::vector<HttpRequest> asked_;
};

}  // namespace fss
