// What a refusal of S3 means. Pure; safe from any thread.
#pragma once

#include <string>
#include <string_view>

#include "collectors/store/aws_credentials.h"
#include "collectors/store/http_client.h"
#include "sidecar/base/result.h"

namespace fss {

// The store's own code out of an error's XML ("NoSuchKey"); empty where there is none.
std::string S3ErrorCode(std::string_view body);

// An Error for an answer that is neither 200 nor 206: the status, the store's code and message, and
// the region that the bucket is in, where the store says so. kNotFound for a missing key, else
// kHttpStatus. A part that repeats a credential is left out, and each is cut to a line.
Error S3Failure(const HttpHead& head, std::string_view body, const AwsCredentials& credentials);

// The size of the whole object: of "bytes 0-99/1234", or the length of an answer that is not a
// part. kMalformed when neither tells, or the part does not begin at 0.
Result<std::uint64_t> S3ObjectSize(const HttpHead& head);

}  // namespace fss
