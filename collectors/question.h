// Questions to a JobManager: a poll collects them in batches, so that many are under way at once.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"

namespace fss {

// One path to ask for, and what to do with its answer.
struct Question {
  std::string path;  // URL-encoded
  std::function<void(Result<RestAnswer>)> take;
};

// Asks all and returns when each answer was taken, in any order. Started in the given order: what
// matters most comes first.
void Ask(RestClient* client, const std::vector<Question>& questions);

// `read` over an answer, or the Error that came instead.
template <typename Read>
auto ReadIfOk(Result<RestAnswer> answer, const Read& read) -> decltype(read(RestAnswer())) {
  if (!answer.ok()) return answer.error();
  return read(std::move(*answer));
}

// "what: why" as one short line, for JobSnapshot::problems.
std::string ProblemLine(const std::string& what, const Error& error);

}  // namespace fss
