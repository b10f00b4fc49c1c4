#include "collectors/store/aws_credentials.h"

#include <utility>

#include "collectors/store/credentials_file.h"
#include "collectors/store/web_identity.h"

namespace fss {
namespace {

class FixedCredentials : public CredentialSource {
 public:
  explicit FixedCredentials(AwsCredentials credentials) : credentials_(std::move(credentials)) {}
  Result<AwsCredentials> Get() override { return credentials_; }

 private:
  AwsCredentials credentials_;
};

class NoCredentials : public CredentialSource {
 public:
  Result<AwsCredentials> Get() override {
    return Error{ErrorCode::kIo,
                 "no credentials: neither AWS_ACCESS_KEY_ID nor AWS_WEB_IDENTITY_TOKEN_FILE nor "
                 "AWS_SHARED_CREDENTIALS_FILE nor HOME is set",
                 ""};
  }
};

}  // namespace

std::unique_ptr<CredentialSource> NewCredentialSource(const AwsEnvironment& environment,
                                                      HttpClient& http, const Clock& clock,
                                                      const std::string& region) {
  if (!environment.access_key_id.empty()) {
    return std::make_unique<FixedCredentials>(
        AwsCredentials{environment.access_key_id, environment.secret_access_key,
                       environment.session_token, std::nullopt});
  }
  if (!environment.web_identity_token_file.empty()) {
    WebIdentity identity;
    identity.token_file = environment.web_identity_token_file;
    identity.role_arn = environment.role_arn;
    identity.session_name = environment.role_session_name;
    identity.endpoint = environment.sts_endpoint.empty()
                            ? "https://sts." + region + "." + AwsDomain(region)
                            : environment.sts_endpoint;
    return NewWebIdentitySource(std::move(identity), http, clock);
  }
  if (!environment.credentials_file.empty()) {
    return std::make_unique<CredentialsFile>(environment.credentials_file, environment.profile);
  }
  return std::make_unique<NoCredentials>();
}

}  // namespace fss
