// The variables of the environment by which the AWS SDKs are set up, as far as they count here.
#pragma once

#include <functional>
#include <string>

#include "sidecar/base/result.h"

namespace fss {

// A variable's value; empty when it is not set.
using Environment = std::function<std::string(const char* name)>;

// The process's own. Not to be called while another thread sets variables (nobody does).
Environment ProcessEnvironment();

struct AwsEnvironment {
  std::string access_key_id;            // AWS_ACCESS_KEY_ID
  std::string secret_access_key;        // AWS_SECRET_ACCESS_KEY
  std::string session_token;            // AWS_SESSION_TOKEN
  std::string web_identity_token_file;  // AWS_WEB_IDENTITY_TOKEN_FILE
  std::string role_arn;                 // AWS_ROLE_ARN
  std::string role_session_name;        // AWS_ROLE_SESSION_NAME
  std::string credentials_file;         // AWS_SHARED_CREDENTIALS_FILE, else ~/.aws/credentials
  std::string profile;                  // AWS_PROFILE, else "default"
  std::string region;                   // AWS_REGION, else AWS_DEFAULT_REGION
  std::string s3_endpoint;              // AWS_ENDPOINT_URL_S3, else AWS_ENDPOINT_URL
  std::string sts_endpoint;             // AWS_ENDPOINT_URL_STS, else AWS_ENDPOINT_URL
  std::string ca_bundle;                // AWS_CA_BUNDLE
};

// kInvalidArgument, naming the variable, when of two that belong together only one is set.
Result<AwsEnvironment> ReadAwsEnvironment(const Environment& environment);

// The top domain of a region's services: "amazonaws.com", in China "amazonaws.com.cn".
std::string AwsDomain(const std::string& region);

// Whether `region` may stand in a host name and a signature: lower case letters, digits, hyphens.
bool IsAwsRegion(const std::string& region);

}  // namespace fss
