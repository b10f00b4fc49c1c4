// Requests to object storage and its token service, over libcurl.
//
// Not RestClient: that can only GET, and knows no signatures (docs/adr/0007). Nothing here ever
// goes to a JobManager. Not thread-safe, HttpClient::Cancel apart.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sidecar/base/result.h"

namespace fss {

struct HttpClientOptions {
  // An answer must begin within it, connecting included. Of what follows, each such span of waiting
  // must bring 16 KiB per second, and all waiting for one answer together ends after six of them: a
  // server that hangs or drips holds nobody up for long. Time the reader takes does not count.
  std::chrono::milliseconds timeout{5000};
  std::string ca_file;  // PEM; empty: the system's
};

struct HttpRequest {
  std::string url;                           // percent-encoded; sent as it is
  std::vector<std::string> headers;          // "Name: value"
  std::optional<std::string> form;           // POST with this body; without: GET
  std::optional<std::uint64_t> first_bytes;  // ask for no more than these
  // Signed for this provider, region and service ("aws:amz:eu-west-1:s3"); empty: unsigned.
  std::string signature;
  std::string key_id;
  std::string secret;
};

struct HttpHead {
  long status = 0;
  std::optional<std::uint64_t> content_length;
  std::string content_range;  // "bytes 0-99/1234", or empty
  std::string bucket_region;  // x-amz-bucket-region, or empty
};

// The head, and the body read forward once. Ending it early closes its connection. It may outlive
// its client.
class HttpAnswer {
 public:
  virtual ~HttpAnswer() = default;
  [[nodiscard]] virtual const HttpHead& head() const = 0;
  // As ByteSource::Read. kTimeout, kUnreachable. At most 512 KiB wait here to be read.
  virtual Result<std::size_t> Read(std::span<char> into) = 0;
};

class HttpClient {
 public:
  virtual ~HttpClient() = default;
  // Sends the request and waits for the answer's head, of whatever status. kTimeout, kUnreachable;
  // errors have no context and hold no credential. Redirects are not followed, proxies of the
  // environment not used.
  virtual Result<std::unique_ptr<HttpAnswer>> Send(const HttpRequest& request) = 0;
  // Ends at once what is under way and all that comes later, with kTimeout. From any thread.
  virtual void Cancel() = 0;
};

// kInvalidArgument for a CA file that cannot be read, kIo when libcurl4 is not installed.
Result<std::unique_ptr<HttpClient>> NewHttpClient(const HttpClientOptions& options);

// At most the first `limit` bytes of a body; what came before an error, where one comes.
std::string TextOf(HttpAnswer& answer, std::size_t limit);

}  // namespace fss
