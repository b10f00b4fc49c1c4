#include "collectors/question.h"

#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxProblemBytes = 300;

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

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

std::string UrlEncoded(const std::string& text) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (IsUnreserved(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += kDigits[byte >> 4U];
    encoded += kDigits[byte & 15U];
  }
  return encoded;
}

}  // namespace fss
