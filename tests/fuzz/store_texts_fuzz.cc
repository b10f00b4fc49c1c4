// Feeds bytes to all that reads texts for the checkpoint store: addresses, roots, credentials
// files, the answers of S3 and of the token service. Whatever they are, each returns, in one line,
// and no address leads out of its root.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "collectors/store/credentials_file.h"
#include "collectors/store/root_list.h"
#include "collectors/store/s3_failure.h"
#include "collectors/store/xml_text.h"
#include "sidecar/base/percent.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void RequireOneLine(const fss::Error& error) {
  Require(!error.message.empty() && error.ToString().find('\n') == std::string::npos);
}

void CheckAddress(const fss::RootList& roots, const std::string& address) {
  const auto file = roots.Resolve(address);
  if (!file.ok()) return RequireOneLine(file.error());
  if (!*file) return;
  const std::string& relative = (*file)->relative;
  Require(relative.size() > 1 && relative.front() == '/' && relative.back() != '/');
  Require((relative + "/").find("/../") == std::string::npos);
  Require(relative.find("//") == std::string::npos && relative.find('\0') == std::string::npos);
}

void CheckRoots(const std::string& text) {
  const auto given = fss::RootList::Parse(text);
  if (!given.ok()) return RequireOneLine(given.error());
  for (const fss::CheckpointRoot& root : given->roots()) {
    Require(root.place.scheme == "file" || root.place.scheme == "s3");
    CheckAddress(*given, fss::Shown(root.prefix) + "/job/../x");
    CheckAddress(*given, fss::Shown(root.prefix) + "/job/x");
  }
  CheckAddress(*given, text);
}

void CheckAnswers(const std::string& text) {
  const fss::AwsCredentials keys{"AKIA", "se", "to", std::nullopt};
  for (const long status : {206L, 301L, 403L, 404L}) {
    fss::HttpHead head;
    head.status = status;
    head.content_range = text;
    head.bucket_region = text;
    const fss::Error error = fss::S3Failure(head, text, keys);
    RequireOneLine(error);
    Require(error.ToString().size() < 500);
    (void)fss::S3ObjectSize(head);
  }
  (void)fss::MillisOfIsoTime(text);
  (void)fss::MillisOfIsoTime(fss::XmlText(text, "Expiration").value_or(""));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckRoots(text);
  const auto fixed = fss::RootList::Parse("/shared,s3://bucket/x=/mnt,hdfs://nn=s3://bucket");
  Require(fixed.ok());
  for (const char* before : {"", "/shared/", "s3://bucket/x/", "hdfs://nn/"}) {
    CheckAddress(*fixed, before + text);
    CheckAddress(*fixed, fss::PercentDecoded(before + text));
  }
  const auto credentials = fss::ParseCredentialsFile(text, "team");
  if (credentials.ok()) {
    Require(!credentials->key_id.empty() && !credentials->secret.empty());
  } else {
    RequireOneLine(credentials.error());
  }
  CheckAnswers(text);
  Require(fss::PercentDecoded(fss::PercentEncoded(text)) == text);
  return 0;
}
