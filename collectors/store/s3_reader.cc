#include "collectors/store/s3_reader.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "collectors/store/s3_failure.h"
#include "sidecar/base/curl_url.h"
#include "sidecar/base/percent.h"

namespace fss {
namespace {

constexpr std::size_t kMaxErrorBytes = 64UL * 1024;
constexpr long kWhole = 200;
constexpr long kPart = 206;
constexpr long kNoSuchRange = 416;

class ObjectSource : public ByteSource {
 public:
  ObjectSource(std::unique_ptr<HttpAnswer> answer, std::uint64_t size, std::uint64_t max_bytes)
      : answer_(std::move(answer)), size_(size), left_(std::min(size, max_bytes)) {}

  Result<std::size_t> Read(std::span<char> into) override {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_));
    if (wanted == 0) return std::size_t{0};
    Result<std::size_t> got = answer_->Read(into.first(wanted));
    if (!got.ok()) return got;
    if (*got == 0) return Error{ErrorCode::kIo, "ended before its size was reached", ""};
    left_ -= *got;
    // libcurl may keep the connection, where the answer has ended.
    if (left_ == 0) answer_.reset();
    return got;
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  std::unique_ptr<HttpAnswer> answer_;
  std::uint64_t size_;
  std::uint64_t left_;
};

// Whether a bucket may be the first label of a host name.
bool IsLabel(const std::string& bucket) {
  constexpr std::size_t kMost = 63;
  return bucket.size() <= kMost && bucket.front() != '-' && bucket.back() != '-' &&
         std::all_of(bucket.begin(), bucket.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

Error OfCredentials(const Error& error) {
  const bool gone = error.code == ErrorCode::kNotFound;
  return {gone ? ErrorCode::kIo : error.code, "credentials: " + error.ToString(), ""};
}

}  // namespace

std::string S3ObjectUrl(const S3Options& options, const std::string& bucket,
                        const std::string& key) {
  std::string endpoint = options.endpoint;
  while (endpoint.ends_with('/')) endpoint.pop_back();
  const bool aws = endpoint.empty();
  if (aws) endpoint = "https://s3." + options.region + "." + AwsDomain(options.region);
  const bool by_host = options.addressing == S3Addressing::kVirtualHost ||
                       (options.addressing == S3Addressing::kAuto && aws);
  const std::string path = PercentEncoded(key, "/");
  if (by_host && IsLabel(bucket)) {
    const auto host = endpoint.find("://") + 3;
    return endpoint.substr(0, host) + bucket + "." + endpoint.substr(host) + "/" + path;
  }
  return endpoint + "/" + PercentEncoded(bucket) + "/" + path;
}

Status CheckEndpoint(const std::string& url) {
  const auto refuse = [](const char* why) { return Error{ErrorCode::kInvalidArgument, why, ""}; };
  if (url.find('@') != std::string::npos) return refuse("a URL without a user is needed");
  const CurlUrlParts parts(url);
  const std::string scheme = parts.good() ? parts.Get(CURLUPART_SCHEME) : "";
  if (scheme != "http" && scheme != "https") return refuse("not an http:// or https:// URL");
  if (!parts.Get(CURLUPART_QUERY).empty() || !parts.Get(CURLUPART_FRAGMENT).empty()) {
    return refuse("an endpoint has no query and no fragment");
  }
  return OkStatus();
}

S3Reader::S3Reader(S3Options options, HttpClient& http, CredentialSource& credentials)
    : options_(std::move(options)), http_(http), credentials_(credentials) {}

Result<std::unique_ptr<HttpAnswer>> S3Reader::Ask(const std::string& url, std::uint64_t max_bytes,
                                                  const AwsCredentials& credentials) {
  HttpRequest request;
  request.url = url;
  request.first_bytes = max_bytes;
  // libcurl 7.88 signs the headers that it is given, and takes the body's hash from this one.
  request.headers.emplace_back("x-amz-content-sha256: UNSIGNED-PAYLOAD");
  if (!credentials.token.empty()) {
    request.headers.push_back("x-amz-security-token: " + credentials.token);
  }
  request.signature = "aws:amz:" + options_.region + ":s3";
  request.key_id = credentials.key_id;
  request.secret = credentials.secret;
  return http_.Send(request);
}

Result<std::unique_ptr<ByteSource>> S3Reader::Open(const std::string& bucket,
                                                   const std::string& key,
                                                   std::uint64_t max_bytes) {
  const std::string url = S3ObjectUrl(options_, bucket, key);
  for (bool again = true;; again = false) {
    const Result<AwsCredentials> credentials = credentials_.Get();
    if (!credentials.ok()) return OfCredentials(credentials.error());
    Result<std::unique_ptr<HttpAnswer>> answer = Ask(url, max_bytes, *credentials);
    if (!answer.ok()) return answer.error();
    const HttpHead head = (*answer)->head();
    if (head.status == kWhole || head.status == kPart) {
      const Result<std::uint64_t> size = S3ObjectSize(head);
      if (!size.ok()) return size.error();
      return std::unique_ptr<ByteSource>(
          std::make_unique<ObjectSource>(*std::move(answer), *size, max_bytes));
    }
    // Of an empty object no range exists.
    if (head.status == kNoSuchRange) {
      return std::unique_ptr<ByteSource>(std::make_unique<ObjectSource>(nullptr, 0, 0));
    }
    const std::string body = TextOf(**answer, kMaxErrorBytes);
    if (again && S3ErrorCode(body) == "ExpiredToken") {
      credentials_.Expired();
      continue;
    }
    return S3Failure(head, body, *credentials);
  }
}

}  // namespace fss
