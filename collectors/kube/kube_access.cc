#include "collectors/kube/kube_access.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "collectors/base_url.h"
#include "collectors/bounded_file.h"

namespace fss {
namespace {

constexpr const char* kAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount/";
// A token has about a kilobyte.
constexpr std::size_t kMaxTokenBytes = 64U << 10U;

std::string FromEnvironment(const char* name) {
  // At the start, before any other thread. NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string Trimmed(std::string text) {
  const auto blank = [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), blank));
  return text;
}

}  // namespace

Result<std::string> KubeAccess::Token() const {
  if (token_file.empty()) return std::string();
  Result<FileContent> content = ReadBoundedFile(token_file, kMaxTokenBytes, /*regular_only=*/true);
  if (!content.ok()) return Error{content.error().code, content.error().message, token_file};
  std::string token = Trimmed(std::move(content->bytes));
  const bool printable =
      std::all_of(token.begin(), token.end(), [](unsigned char c) { return c > ' ' && c < 0x7F; });
  if (token.empty() || !printable)
    return Error{ErrorCode::kMalformed, "holds no token", token_file};
  return token;
}

Result<KubeAccess> FindKubeAccess(const KubeAccessOptions& options) {
  KubeAccess access;
  const std::string folder = kAccountFolder;
  if (options.server.empty()) {
    std::string host = FromEnvironment("KUBERNETES_SERVICE_HOST");
    const std::string port = FromEnvironment("KUBERNETES_SERVICE_PORT");
    if (host.empty() || port.empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   "this is no pod (no KUBERNETES_SERVICE_HOST): give --kubernetes_api_server", ""};
    }
    if (host.find(':') != std::string::npos) host = "[" + host + "]";
    access.server = "https://" + host + ":" + port;
    access.ca_file = folder + "ca.crt";
    access.token_file = folder + "token";
  } else {
    const Result<BaseUrl> url = ParseBaseUrl(options.server);
    if (!url.ok()) return url.error();
    if (!url->authorization.empty()) {
      return Error{ErrorCode::kInvalidArgument, "has a user; give a token file", url->url};
    }
    access.server = url->url;
  }
  if (!options.ca_file.empty()) access.ca_file = options.ca_file;
  if (!options.token_file.empty()) access.token_file = options.token_file;
  access.namespace_name = FromEnvironment("POD_NAMESPACE");
  if (access.namespace_name.empty()) {
    const auto own = ReadBoundedFile(folder + "namespace", kMaxTokenBytes, /*regular_only=*/true);
    if (own.ok()) access.namespace_name = Trimmed(own->bytes);
  }
  return access;
}

}  // namespace fss
