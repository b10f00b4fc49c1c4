#include "collectors/store/s3_failure.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "collectors/store/xml_text.h"
#include "sidecar/base/curl.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kShownCodeBytes = 64;
constexpr long kPartialContent = 206;
constexpr long kNotFoundStatus = 404;

bool Repeats(const std::string& text, const AwsCredentials& credentials) {
  const auto holds = [&](const std::string& secret) {
    return !secret.empty() && text.find(secret) != std::string::npos;
  };
  return holds(credentials.key_id) || holds(credentials.secret) || holds(credentials.token);
}

}  // namespace

std::string S3ErrorCode(std::string_view body) { return XmlText(body, "Code").value_or(""); }

Error S3Failure(const HttpHead& head, std::string_view body, const AwsCredentials& credentials) {
  const std::string code = S3ErrorCode(body);
  std::string message = "HTTP status " + std::to_string(head.status);
  if (!code.empty() && !Repeats(code, credentials))
    message += ": " + OneLine(code, kShownCodeBytes);
  const std::string text = XmlText(body, "Message").value_or("");
  if (!text.empty() && !Repeats(text, credentials))
    message += ": " + OneLine(text, kShownReasonBytes);
  const std::string region =
      head.bucket_region.empty() ? XmlText(body, "Region").value_or("") : head.bucket_region;
  if (IsAwsRegion(region)) message += " (the bucket is in region " + region + ")";
  // A missing bucket is a matter of configuration, not of a checkpoint that is gone.
  const bool missing = head.status == kNotFoundStatus && code != "NoSuchBucket";
  return {missing ? ErrorCode::kNotFound : ErrorCode::kHttpStatus, std::move(message), ""};
}

Result<std::uint64_t> S3ObjectSize(const HttpHead& head) {
  const Error untold{ErrorCode::kMalformed, "the store does not tell the object's size", ""};
  if (head.status != kPartialContent) {
    if (!head.content_length) return untold;
    return *head.content_length;
  }
  constexpr std::string_view kFromStart = "bytes 0-";
  const std::string_view range = head.content_range;
  const auto slash = range.find('/');
  if (!range.starts_with(kFromStart) || slash == std::string_view::npos) return untold;
  std::uint64_t size = 0;
  const char* const end = range.data() + range.size();
  const auto [stop, error] = std::from_chars(range.data() + slash + 1, end, size);
  if (error != std::errc() || stop != end) return untold;
  return size;
}

}  // namespace fss
