#include "collectors/store/checkpoint_stores.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "collectors/bounded_file.h"
#include "collectors/store/aws_credentials.h"
#include "collectors/store/file_below.h"
#include "collectors/store/http_client.h"
#include "collectors/store/root_list.h"
#include "collectors/store/s3_reader.h"
#include "sidecar/base/curl.h"
#include "sidecar/base/percent.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kShownAddressBytes = 300;
constexpr const char* kDefaultRegion = "us-east-1";  // as other stores than AWS mostly have it

Error Bad(const char* where, const std::string& what) {
  return {ErrorCode::kInvalidArgument, OneLine(what, kShownAddressBytes), where};
}

// All that S3 needs; made only where a root lies there.
struct S3 {
  S3(S3Options options, std::unique_ptr<HttpClient> client, const AwsEnvironment& environment,
     const Clock& clock)
      : http(std::move(client)),
        credentials(NewCredentialSource(environment, *http, clock, options.region)),
        reader(std::move(options), *http, *credentials) {}

  std::unique_ptr<HttpClient> http;
  std::unique_ptr<CredentialSource> credentials;
  S3Reader reader;
};

// A value of a flag, or of the environment where the flag is not given, and where it is from.
struct Setting {
  Setting(const std::string& flag_value, const char* flag, const std::string& variable_value,
          const char* variable)
      : value(flag_value.empty() ? variable_value : flag_value),
        from(flag_value.empty() ? variable : flag) {}
  std::string value;
  const char* from;
};

Result<S3Addressing> ParseAddressing(const std::string& text) {
  if (text.empty() || text == "auto") return S3Addressing::kAuto;
  if (text == "path") return S3Addressing::kPath;
  if (text == "virtual") return S3Addressing::kVirtualHost;
  return Bad("--s3_addressing", "'" + text + "' is not auto, path or virtual");
}

Result<std::unique_ptr<S3>> NewS3(const CheckpointStoreOptions& options, const Clock& clock) {
  const Result<AwsEnvironment> aws = ReadAwsEnvironment(options.environment);
  if (!aws.ok()) return aws.error();
  const auto addressing = ParseAddressing(options.s3_addressing);
  if (!addressing.ok()) return addressing.error();
  const Setting endpoint(options.s3_endpoint, "--s3_endpoint", aws->s3_endpoint,
                         "AWS_ENDPOINT_URL_S3");
  Setting region(options.s3_region, "--s3_region", aws->region, "AWS_REGION");
  if (region.value.empty()) region.value = kDefaultRegion;
  if (!IsAwsRegion(region.value)) {
    return Bad(region.from, "'" + region.value + "' is no name of a region");
  }
  Result<std::unique_ptr<HttpClient>> http =
      NewHttpClient({options.request_timeout, aws->ca_bundle});
  if (!http.ok()) {
    const bool ca = http.error().code == ErrorCode::kInvalidArgument;
    return Error{http.error().code, http.error().ToString(),
                 ca ? "AWS_CA_BUNDLE" : "--checkpoint_root"};
  }
  for (const Setting& url :
       {endpoint, Setting("", "", aws->sts_endpoint, "AWS_ENDPOINT_URL_STS")}) {
    if (url.value.empty()) continue;
    const Status good = CheckEndpoint(url.value);
    if (!good.ok()) return Bad(url.from, good.error().message);
  }
  return std::make_unique<S3>(S3Options{endpoint.value, region.value, *addressing},
                              *std::move(http), *aws, clock);
}

class Store : public CheckpointStore {
 public:
  Store(RootList roots, std::unique_ptr<S3> s3) : roots_(std::move(roots)), s3_(std::move(s3)) {}

  Result<std::unique_ptr<ByteSource>> Open(const std::string& address,
                                           std::uint64_t max_bytes) override {
    auto source = OpenAsWritten(address, max_bytes);
    if (!source.ok() && source.error().code == ErrorCode::kNotFound) {
      const std::string decoded = PercentDecoded(address);
      auto second = decoded != address ? OpenAsWritten(decoded, max_bytes) : source.error();
      // The escapes may lead where nothing is to be read; then the first answer stands.
      if (second.ok() || second.error().code != ErrorCode::kInvalidArgument) {
        source = std::move(second);
      }
    }
    if (source.ok()) return source;
    return Error{source.error().code, source.error().message, OneLine(address, kShownAddressBytes)};
  }

  void Cancel() override {
    if (s3_ != nullptr) s3_->http->Cancel();
  }

 private:
  Result<std::unique_ptr<ByteSource>> OpenAsWritten(const std::string& address,
                                                    std::uint64_t max_bytes) {
    const auto file = roots_.Resolve(address);
    if (!file.ok()) return file.error();
    if (!*file) {
      return Error{ErrorCode::kInvalidArgument,
                   roots_.roots().empty() ? "--checkpoint_root is not set"
                                          : "no root of --checkpoint_root holds it",
                   ""};
    }
    const Location& place = (*file)->root->place;
    const std::string& relative = (*file)->relative;
    if (place.scheme == "file") return OpenFileBelow(place.path, relative, max_bytes);
    return s3_->reader.Open(place.authority, (place.path + relative).substr(1), max_bytes);
  }

  const RootList roots_;
  const std::unique_ptr<S3> s3_;  // nullptr where no root lies in S3
};

}  // namespace

Result<std::unique_ptr<CheckpointStore>> NewCheckpointStore(const CheckpointStoreOptions& options,
                                                            const Clock& clock) {
  Result<RootList> roots = RootList::Parse(options.roots);
  if (!roots.ok()) return Bad("--checkpoint_root", roots.error().ToString());
  bool needs_s3 = false;
  for (const CheckpointRoot& root : roots->roots()) {
    needs_s3 = needs_s3 || root.place.scheme == "s3";
    if (root.place.scheme != "file" || root.place.path.empty()) continue;
    const auto there = LookAt(root.place.path);
    if (there.ok() && there->type != FileType::kFolder) {
      return Bad("--checkpoint_root", root.place.path + ": is no folder");
    }
  }
  std::unique_ptr<S3> s3;
  if (needs_s3) {
    auto made = NewS3(options, clock);
    if (!made.ok()) return made.error();
    s3 = *std::move(made);
  }
  return std::unique_ptr<CheckpointStore>(
      std::make_unique<Store>(*std::move(roots), std::move(s3)));
}

}  // namespace fss
