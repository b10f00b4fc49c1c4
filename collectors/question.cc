#include "collectors/question.h"

#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxProblemBytes = 300;

}  // namespace

void Ask(RestClient* client, const std::vector<Question>& questions) {
  if (questions.empty()) return;
  std::vector<std::string> paths;
  paths.reserve(questions.size());
  for (const Question& question : questions) paths.push_back(question.path);
  client->GetEach(paths, [&questions](std::size_t index, Result<RestAnswer> answer) {
    questions[index].take(std::move(answer));
  });
}

std::string ProblemLine(const std::string& what, const Error& error) {
  return OneLine(what + ": " + error.message, kMaxProblemBytes);
}

}  // namespace fss
