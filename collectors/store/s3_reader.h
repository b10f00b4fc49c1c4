// Objects of S3 and of stores that speak its protocol, by signed GET requests and nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "collectors/byte_source.h"
#include "collectors/store/aws_credentials.h"
#include "collectors/store/http_client.h"
#include "sidecar/base/result.h"

namespace fss {

// How the bucket is named in a URL. kAuto: by host at AWS, by path at another endpoint.
enum class S3Addressing { kAuto, kPath, kVirtualHost };

struct S3Options {
  std::string endpoint;  // "https://minio:9000"; empty: AWS' own of the region
  std::string region;    // never empty
  S3Addressing addressing = S3Addressing::kAuto;
};

// What to ask for an object, percent-encoded as AWS' signatures want it. A bucket whose name is no
// label of a host name (dots do not fit into the certificate) is named by path at any rate. Pure.
std::string S3ObjectUrl(const S3Options& options, const std::string& bucket,
                        const std::string& key);

// kInvalidArgument, without credentials, for what is no http:// or https:// URL, or has a user, a
// query or a fragment. Only after LoadCurl() was good.
Status CheckEndpoint(const std::string& url);

// Not thread-safe.
class S3Reader {
 public:
  // Both outlive it.
  S3Reader(S3Options options, HttpClient& http, CredentialSource& credentials);

  // Opens an object; yields no more than `max_bytes` of it, which are all that is asked for.
  // kNotFound: no such key. kHttpStatus with the store's own code ("HTTP status 403:
  // AccessDenied"), for a missing bucket too. kTimeout, kUnreachable, kMalformed; whatever getting
  // credentials says, of kIo where that is kNotFound. Errors have no context and hold no
  // credential.
  Result<std::unique_ptr<ByteSource>> Open(const std::string& bucket, const std::string& key,
                                           std::uint64_t max_bytes);

 private:
  Result<std::unique_ptr<HttpAnswer>> Ask(const std::string& url, std::uint64_t max_bytes,
                                          const AwsCredentials& credentials);

  const S3Options options_;
  HttpClient& http_;
  CredentialSource& credentials_;
};

}  // namespace fss
