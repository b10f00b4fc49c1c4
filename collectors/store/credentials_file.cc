#include "collectors/store/credentials_file.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxBytes = 1UL << 20U;
constexpr std::size_t kShownProfileBytes = 100;
constexpr std::string_view kBlanks = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Without a comment at the line's end: a '#' or ';' after a blank (secrets may hold either).
std::string_view WithoutComment(std::string_view value) {
  for (std::size_t at = 1; at < value.size(); ++at) {
    const bool mark = value[at] == '#' || value[at] == ';';
    if (mark && kBlanks.find(value[at - 1]) != std::string_view::npos) return value.substr(0, at);
  }
  return value;
}

// "default" of "[default]", "[ default ] # mine"; nothing for a line that begins no section.
std::optional<std::string_view> SectionOf(std::string_view line) {
  if (!line.starts_with('[')) return std::nullopt;
  return Trimmed(line.substr(
      1, line.find(']') == std::string_view::npos ? line.size() - 1 : line.find(']') - 1));
}

void Take(std::string_view line, AwsCredentials* credentials) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view name = Trimmed(line.substr(0, equals));
  const std::string_view value = Trimmed(WithoutComment(line.substr(equals + 1)));
  if (name == "aws_access_key_id") credentials->key_id = value;
  if (name == "aws_secret_access_key") credentials->secret = value;
  if (name == "aws_session_token") credentials->token = value;
}

}  // namespace

Result<AwsCredentials> ParseCredentialsFile(std::string_view text, std::string_view profile) {
  AwsCredentials credentials;
  bool found = false;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with('#') || line.starts_with(';')) continue;
    if (const auto section = SectionOf(line)) {
      inside = *section == profile;
      found = found || inside;
    } else if (inside && !line.starts_with(' ') && !line.starts_with('\t')) {
      Take(line, &credentials);
    }
  }
  const std::string named = "profile '" + OneLine(profile, kShownProfileBytes) + "'";
  if (!found) return Error{ErrorCode::kNotFound, "has no " + named, ""};
  if (credentials.key_id.empty() || credentials.secret.empty()) {
    return Error{ErrorCode::kMalformed,
                 named + " has no " +
                     (credentials.key_id.empty() ? "aws_access_key_id" : "aws_secret_access_key"),
                 ""};
  }
  return credentials;
}

CredentialsFile::CredentialsFile(std::string path, std::string profile)
    : path_(std::move(path)), profile_(std::move(profile)), credentials_(AwsCredentials()) {}

Result<AwsCredentials> CredentialsFile::Get() {
  const auto status = LookAt(path_);
  if (status.ok() && read_ && status->identity == *read_) return credentials_;
  read_.reset();
  Result<FileContent> content = ReadBoundedFile(path_, kMaxBytes, /*regular_only=*/true);
  if (!content.ok()) {
    return Error{content.error().code, content.error().message, OneLine(path_, kMaxBytes)};
  }
  credentials_ = ParseCredentialsFile(content->bytes, profile_);
  if (!credentials_.ok()) {
    credentials_ = Error{credentials_.error().code, credentials_.error().message, path_};
  }
  if (content->stable) read_ = content->identity;
  return credentials_;
}

}  // namespace fss
