#include "collectors/store/aws_environment.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace fss {
namespace {

Status Together(const Environment& environment, const char* one, const char* other) {
  const bool has_one = !environment(one).empty();
  if (has_one == !environment(other).empty()) return OkStatus();
  return Error{ErrorCode::kInvalidArgument, "is not set, but " + std::string(has_one ? one : other),
               has_one ? other : one};
}

}  // namespace

Environment ProcessEnvironment() {
  return [](const char* name) {
    // Nobody sets variables in this program. NOLINTNEXTLINE(concurrency-mt-unsafe)
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
}

Result<AwsEnvironment> ReadAwsEnvironment(const Environment& environment) {
  const auto first_of = [&](const char* one, const char* other) {
    std::string value = environment(one);
    return value.empty() ? environment(other) : value;
  };
  Status pair = Together(environment, "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
  if (!pair.ok()) return pair.error();
  // EKS sets both.
  pair = Together(environment, "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN");
  // A role without a token file is for other ways to get credentials.
  if (!pair.ok() && pair.error().context == "AWS_ROLE_ARN") return pair.error();
  AwsEnvironment aws;
  aws.access_key_id = environment("AWS_ACCESS_KEY_ID");
  aws.secret_access_key = environment("AWS_SECRET_ACCESS_KEY");
  aws.session_token = environment("AWS_SESSION_TOKEN");
  aws.web_identity_token_file = environment("AWS_WEB_IDENTITY_TOKEN_FILE");
  aws.role_arn = environment("AWS_ROLE_ARN");
  aws.role_session_name = environment("AWS_ROLE_SESSION_NAME");
  if (aws.role_session_name.empty()) aws.role_session_name = "flink-state-sidecar";
  aws.credentials_file = environment("AWS_SHARED_CREDENTIALS_FILE");
  if (aws.credentials_file.empty()) {
    const std::string home = environment("HOME");
    if (!home.empty()) aws.credentials_file = home + "/.aws/credentials";
  }
  aws.profile = environment("AWS_PROFILE");
  if (aws.profile.empty()) aws.profile = "default";
  aws.region = first_of("AWS_REGION", "AWS_DEFAULT_REGION");
  aws.s3_endpoint = first_of("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
  aws.sts_endpoint = first_of("AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL");
  aws.ca_bundle = environment("AWS_CA_BUNDLE");
  return aws;
}

std::string AwsDomain(const std::string& region) {
  return region.starts_with("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

bool IsAwsRegion(const std::string& region) {
  constexpr std::size_t kMost = 64;
  return !region.empty() && region.size() <= kMost &&
         std::all_of(region.begin(), region.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

}  // namespace fss
