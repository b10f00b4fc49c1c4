// The keys by which requests to AWS and S3-compatible stores are signed, and where they come from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "collectors/store/aws_environment.h"
#include "collectors/store/http_client.h"
#include "sidecar/base/clock.h"
#include "sidecar/base/result.h"

namespace fss {

// Secret, but for key_id. Nothing of it is for logs and errors.
struct AwsCredentials {
  std::string key_id;
  std::string secret;
  std::string token;                       // of temporary keys; else empty
  std::optional<std::int64_t> expires_ms;  // milliseconds since 1970

  bool operator==(const AwsCredentials&) const = default;
};

class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  // Keys that are good now. Not thread-safe. Errors may pass; they hold no secret.
  virtual Result<AwsCredentials> Get() = 0;
  // The keys of the last Get were refused as expired: the next Get is to fetch new ones.
  virtual void Expired() {}
};

// The first of these that the environment is set up for, in the order of the SDKs: keys in
// variables; a web identity (EKS' roles for service accounts); the shared credentials file. None
// falls back to the next one: a broken set-up is told, not replaced. `http` and `clock` outlive it.
std::unique_ptr<CredentialSource> NewCredentialSource(const AwsEnvironment& environment,
                                                      HttpClient& http, const Clock& clock,
                                                      const std::string& region);

}  // namespace fss
