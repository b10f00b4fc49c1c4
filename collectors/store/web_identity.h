// Temporary keys for a token that the platform puts into a file (EKS' IAM roles for service
// accounts, and whoever speaks the same protocol: MinIO, Ceph, versitygw).
#pragma once

#include <memory>
#include <string>

#include "collectors/store/aws_credentials.h"
#include "collectors/store/http_client.h"
#include "sidecar/base/clock.h"

namespace fss {

struct WebIdentity {
  std::string token_file;  // read at each exchange: the platform renews it
  std::string role_arn;
  std::string session_name;
  std::string endpoint;  // of the token service (STS): "https://sts.eu-west-1.amazonaws.com"
};

// Exchanges the token by AssumeRoleWithWebIdentity and keeps the keys until 5 minutes before their
// end, or a quarter of their life before it where that is less. When the exchange fails, keys that
// are still good go on being used, and it is tried again after 10 s at the earliest. `http` and
// `clock` outlive it.
std::unique_ptr<CredentialSource> NewWebIdentitySource(WebIdentity identity, HttpClient& http,
                                                       const Clock& clock);

}  // namespace fss
