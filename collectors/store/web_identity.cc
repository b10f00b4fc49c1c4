#include "collectors/store/web_identity.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "collectors/bounded_file.h"
#include "collectors/store/xml_text.h"
#include "sidecar/base/curl.h"
#include "sidecar/base/percent.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxTokenBytes = 64UL * 1024;  // AWS: 20,000 characters
constexpr std::size_t kMaxAnswerBytes = 64UL * 1024;
constexpr std::int64_t kRenewMillis = 5L * 60 * 1000;
constexpr std::int64_t kRetryMillis = 10L * 1000;

// "HTTP status 403: AccessDenied: Not authorized …", without the token where it is repeated.
Error Refused(long status, const std::string& body, const std::string& token) {
  std::string message = "HTTP status " + std::to_string(status);
  for (const char* part : {"Code", "Message"}) {
    const auto text = XmlText(body, part);
    if (text && text->find(token) == std::string::npos) {
      message += ": " + OneLine(*text, kShownReasonBytes);
    }
  }
  return {ErrorCode::kHttpStatus, std::move(message), ""};
}

Result<AwsCredentials> ParseAnswer(const std::string& body) {
  AwsCredentials credentials;
  credentials.key_id = XmlText(body, "AccessKeyId").value_or("");
  credentials.secret = XmlText(body, "SecretAccessKey").value_or("");
  credentials.token = XmlText(body, "SessionToken").value_or("");
  credentials.expires_ms = MillisOfIsoTime(XmlText(body, "Expiration").value_or(""));
  if (credentials.key_id.empty() || credentials.secret.empty() || credentials.token.empty() ||
      !credentials.expires_ms) {
    return Error{ErrorCode::kMalformed, "the token service's answer has no credentials", ""};
  }
  return credentials;
}

class Source : public CredentialSource {
 public:
  Source(WebIdentity identity, HttpClient& http, const Clock& clock)
      : identity_(std::move(identity)), http_(http), clock_(clock) {}

  Result<AwsCredentials> Get() override {
    const std::int64_t now = clock_.WallMillis();
    if (credentials_ && now < renew_ms_) return *credentials_;
    const bool usable = credentials_ && now < credentials_->expires_ms;
    if (clock_.MonotonicMillis() < retry_ms_) {
      if (usable) return *credentials_;
      return failure_;
    }
    Result<AwsCredentials> fresh = Exchange();
    if (fresh.ok()) {
      credentials_ = *std::move(fresh);
      const std::int64_t life = std::max<std::int64_t>(*credentials_->expires_ms - now, 0);
      renew_ms_ = *credentials_->expires_ms - std::min(kRenewMillis, life / 4);
      return *credentials_;
    }
    failure_ = Error{fresh.error().code, fresh.error().ToString(), "web identity"};
    retry_ms_ = clock_.MonotonicMillis() + kRetryMillis;
    if (usable) return *credentials_;
    return failure_;
  }

  void Expired() override { credentials_.reset(); }

 private:
  Result<AwsCredentials> Exchange() {
    const auto file = ReadBoundedFile(identity_.token_file, kMaxTokenBytes, /*regular_only=*/true);
    if (!file.ok()) {
      return Error{file.error().code, file.error().message, identity_.token_file};
    }
    std::string token = file->bytes;
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
    if (token.empty()) return Error{ErrorCode::kMalformed, "is empty", identity_.token_file};
    HttpRequest request;
    request.url = identity_.endpoint;
    if (!request.url.ends_with('/')) request.url += '/';
    request.form = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=" +
                   PercentEncoded(identity_.role_arn) +
                   "&RoleSessionName=" + PercentEncoded(identity_.session_name) +
                   "&WebIdentityToken=" + PercentEncoded(token);
    Result<std::unique_ptr<HttpAnswer>> answer = http_.Send(request);
    if (!answer.ok()) {
      return Error{answer.error().code, answer.error().message, identity_.endpoint};
    }
    const std::string body = TextOf(**answer, kMaxAnswerBytes);
    const long status = (*answer)->head().status;
    Result<AwsCredentials> credentials =
        status == 200 ? ParseAnswer(body) : Refused(status, body, token);
    if (credentials.ok()) return credentials;
    return Error{credentials.error().code, credentials.error().message, identity_.endpoint};
  }

  const WebIdentity identity_;
  HttpClient& http_;
  const Clock& clock_;
  std::optional<AwsCredentials> credentials_;
  std::int64_t renew_ms_ = 0;
  std::int64_t retry_ms_ = std::numeric_limits<std::int64_t>::min();
  Error failure_;
};

}  // namespace

std::unique_ptr<CredentialSource> NewWebIdentitySource(WebIdentity identity, HttpClient& http,
                                                       const Clock& clock) {
  return std::make_unique<Source>(std::move(identity), http, clock);
}

}  // namespace fss
