#include "collectors/store/s3_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/store/s3_failure.h"
#include "tests/unit/collectors/store/scripted_http.h"

namespace fss {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// Keys that are numbered, so that it shows when others were fetched.
class NumberedCredentials : public CredentialSource {
 public:
  Result<AwsCredentials> Get() override {
    return AwsCredentials{"key-" + std::to_string(number_), "secret", "token", std::nullopt};
  }
  void Expired() override { ++number_; }

 private:
  int number_ = 1;
};

TEST(S3ObjectUrlTest, AwsByHostOthersByPath) {
  S3Options options{"", "eu-west-1", S3Addressing::kAuto};
  EXPECT_EQ(S3ObjectUrl(options, "flink", "a b/_metadata"),
            "https://flink.s3.eu-west-1.amazonaws.com/a%20b/_metadata");
  // A dot does not fit the certificate, capitals no host name.
  EXPECT_EQ(S3ObjectUrl(options, "my.flink", "x"), "https://s3.eu-west-1.amazonaws.com/my.flink/x");
  EXPECT_EQ(S3ObjectUrl(options, "Flink_1", "x"), "https://s3.eu-west-1.amazonaws.com/Flink_1/x");
  options.addressing = S3Addressing::kPath;
  EXPECT_EQ(S3ObjectUrl(options, "flink", "x"), "https://s3.eu-west-1.amazonaws.com/flink/x");
  options = {"", "cn-north-1", S3Addressing::kAuto};
  EXPECT_EQ(S3ObjectUrl(options, "flink", "x"), "https://flink.s3.cn-north-1.amazonaws.com.cn/x");
  options = {"http://minio:9000/", "us-east-1", S3Addressing::kAuto};
  EXPECT_EQ(S3ObjectUrl(options, "flink", "x=1/+"), "http://minio:9000/flink/x%3D1/%2B");
  options.addressing = S3Addressing::kVirtualHost;
  EXPECT_EQ(S3ObjectUrl(options, "flink", "x"), "http://flink.minio:9000/x");
}

class S3ReaderTest : public testing::Test {
 protected:
  Result<std::unique_ptr<ByteSource>> Open() { return reader_.Open("flink", "x", 100); }

  ScriptedHttp http_;
  NumberedCredentials credentials_;
  S3Reader reader_{{"http://store", "eu-west-1", S3Addressing::kAuto}, http_, credentials_};
};

TEST_F(S3ReaderTest, ASignedGetOfTheBytesWanted) {
  http_.Answer(200, "hello");
  EXPECT_TRUE(Open().ok());
  const HttpRequest& request = http_.asked().at(0);
  EXPECT_EQ(request.form, std::nullopt);
  EXPECT_EQ(request.first_bytes, 100U);
  EXPECT_EQ(request.signature, "aws:amz:eu-west-1:s3");
  EXPECT_THAT(request.headers, Contains("x-amz-security-token: token"));
  EXPECT_THAT(request.headers, Contains("x-amz-content-sha256: UNSIGNED-PAYLOAD"));
}

TEST_F(S3ReaderTest, ExpiredKeysAreReplacedOnce) {
  const std::string expired = "<Error><Code>ExpiredToken</Code></Error>";
  http_.Answer(400, expired);
  http_.Answer(200, "hello");
  EXPECT_TRUE(Open().ok());
  EXPECT_EQ(http_.asked().at(0).key_id, "key-1");
  EXPECT_EQ(http_.asked().at(1).key_id, "key-2");
  http_.Answer(400, expired);
  http_.Answer(400, expired);
  const auto again = Open();
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().message, "HTTP status 400: ExpiredToken");
  EXPECT_EQ(http_.asked().size(), 4U);
}

TEST_F(S3ReaderTest, ABodyThatEndsEarlyIsTold) {
  http_.Answer(200, "hello", 9);
  auto source = Open();
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->size(), 9U);
  std::string bytes(10, ' ');
  EXPECT_EQ(*(*source)->Read(bytes), 5U);
  const auto end = (*source)->Read(bytes);
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, ErrorCode::kIo);
}

TEST_F(S3ReaderTest, NoMoreThanTheLimitIsHandedOut) {
  http_.Answer(200, std::string(1000, 'x'));
  auto source = Open();
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->size(), 1000U);
  std::string bytes(1000, ' ');
  EXPECT_EQ(*(*source)->Read(bytes), 100U);
  EXPECT_EQ(*(*source)->Read(bytes), 0U);
}

TEST_F(S3ReaderTest, NoRangeOfAnEmptyObject) {
  http_.Answer(416, "<Error><Code>InvalidRange</Code></Error>");
  auto source = Open();
  ASSERT_TRUE(source.ok());
  std::string bytes(10, ' ');
  EXPECT_EQ((*source)->size(), 0U);
  EXPECT_EQ(*(*source)->Read(bytes), 0U);
}

TEST(S3FailureTest, CodesAndWords) {
  const AwsCredentials keys{"AKIA1", "secret-1", "token-1", std::nullopt};
  const auto told = [&](long status, const std::string& body, const std::string& region = "") {
    HttpHead head;
    head.status = status;
    head.bucket_region = region;
    const Error error = S3Failure(head, body, keys);
    return std::string(ErrorCodeName(error.code)) + ": " + error.ToString();
  };
  EXPECT_EQ(told(404, "<Error><Code>NoSuchKey</Code><Message>Gone.</Message></Error>"),
            "not-found: HTTP status 404: NoSuchKey: Gone.");
  EXPECT_EQ(told(404, ""), "not-found: HTTP status 404");
  EXPECT_EQ(told(404, "<Error><Code>NoSuchBucket</Code></Error>"),
            "http-status: HTTP status 404: NoSuchBucket");
  EXPECT_EQ(told(301, "<Error><Code>PermanentRedirect</Code></Error>", "eu-west-1"),
            "http-status: HTTP status 301: PermanentRedirect (the bucket is in region eu-west-1)");
  EXPECT_EQ(told(400, "<Code>A</Code><Region>us-east-1</Region>"),
            "http-status: HTTP status 400: A (the bucket is in region us-east-1)");
  EXPECT_EQ(told(301, "", "not a region\n"), "http-status: HTTP status 301");
  EXPECT_EQ(told(403, "<Code>a\nb\x1b[31m</Code>"), "http-status: HTTP status 403: a b [31m");
  for (const char* secret : {"AKIA1", "secret-1", "token-1"}) {
    const std::string body =
        std::string("<Code>X</Code><Message>you sent ") + secret + "</Message>";
    EXPECT_EQ(told(403, body), "http-status: HTTP status 403: X");
    EXPECT_THAT(told(403, std::string("<Code>") + secret + "</Code>"), Not(HasSubstr(secret)));
  }
  EXPECT_LT(told(403, "<Code>" + std::string(5000, 'c') + "</Code><Message>" +
                          std::string(5000, 'm') + "</Message>")
                .size(),
            350U);
}

TEST(S3FailureTest, Sizes) {
  const auto size = [](long status, const std::string& range,
                       std::optional<std::uint64_t> length) -> std::optional<std::uint64_t> {
    HttpHead head;
    head.status = status;
    head.content_range = range;
    head.content_length = length;
    const auto told = S3ObjectSize(head);
    if (!told.ok()) return std::nullopt;
    return *told;
  };
  EXPECT_EQ(size(206, "bytes 0-99/1234", 100), 1234U);
  EXPECT_EQ(size(200, "", 1234), 1234U);
  EXPECT_EQ(size(200, "", std::nullopt), std::nullopt);
  for (const char* range :
       {"", "bytes 0-99", "bytes 0-99/", "bytes 0-99/*", "bytes 1-99/1234", "items 0-9/10",
        "bytes 0-99/-1", "bytes 0-99/12x", "bytes 0-99/99999999999999999999999"}) {
    EXPECT_EQ(size(206, range, 100), std::nullopt) << range;
  }
}

}  // namespace
}  // namespace fss
