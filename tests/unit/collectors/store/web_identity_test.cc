#include "collectors/store/web_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <filesystem>
#include <fstream>

#include "tests/unit/collectors/collector_fixture.h"
#include "tests/unit/collectors/store/scripted_http.h"

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kStart = 1'796'033'376'000;  // 2026-11-30T10:09:36Z

class WebIdentityTest : public testing::Test {
 protected:
  WebIdentityTest() {
    std::string pattern = (fs::temp_directory_path() / "web_identity.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    WriteToken("token-1\n");
    clock_.Advance(kStart - clock_.WallMillis());
    WebIdentity identity;
    identity.token_file = (folder_ / "token").string();
    identity.role_arn = "arn:aws:iam::1:role/a b";
    identity.session_name = "sidecar";
    identity.endpoint = "https://sts.test";
    source_ = NewWebIdentitySource(identity, http_, clock_);
  }
  ~WebIdentityTest() override { fs::remove_all(folder_); }

  void WriteToken(const std::string& token) { std::ofstream(folder_ / "token") << token; }

  void AnswerKeys(const std::string& name, const std::string& expiration) {
    http_.Answer(200,
                 "<AssumeRoleWithWebIdentityResponse xmlns=\"x\"><R><Credentials>"
                 "<AccessKeyId>" +
                     name + "</AccessKeyId><SecretAccessKey>s&amp;" + name +
                     "</SecretAccessKey><SessionToken>t-" + name + "</SessionToken><Expiration>" +
                     expiration +
                     "</Expiration></Credentials></R></AssumeRoleWithWebIdentityResponse>");
  }

  // The key id of the credentials now, or the error's line.
  std::string Key() {
    const auto credentials = source_->Get();
    return credentials.ok() ? credentials->key_id : credentials.error().ToString();
  }

  fs::path folder_;
  FakeClock clock_;
  ScriptedHttp http_;
  std::unique_ptr<CredentialSource> source_;
};

TEST_F(WebIdentityTest, TheTokenIsExchanged) {
  AnswerKeys("one", "2026-11-30T11:09:36Z");
  EXPECT_EQ(*source_->Get(), (AwsCredentials{"one", "s&one", "t-one", kStart + kHour}));
  ASSERT_EQ(http_.asked().size(), 1U);
  const HttpRequest& request = http_.asked()[0];
  EXPECT_EQ(request.url, "https://sts.test/");
  EXPECT_EQ(request.form,
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn="
            "arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fa%20b&RoleSessionName=sidecar&"
            "WebIdentityToken=token-1");
  EXPECT_EQ(request.signature, "");  // the token is the proof
}

TEST_F(WebIdentityTest, KeysAreKeptUntilFiveMinutesBeforeTheirEnd) {
  AnswerKeys("one", "2026-11-30T11:09:36Z");
  AnswerKeys("two", "2026-11-30T12:09:36Z");
  EXPECT_EQ(Key(), "one");
  clock_.Advance(kHour - 5 * kMinute - 1);
  EXPECT_EQ(Key(), "one");
  WriteToken("token-2");
  clock_.Advance(1);
  EXPECT_EQ(Key(), "two");
  EXPECT_THAT(http_.asked()[1].form.value_or(""), HasSubstr("WebIdentityToken=token-2"));
}

TEST_F(WebIdentityTest, ShortLivesAreRenewedAtThreeQuarters) {
  AnswerKeys("one", "2026-11-30T10:13:36Z");  // 4 minutes
  AnswerKeys("two", "2026-11-30T12:09:36Z");
  EXPECT_EQ(Key(), "one");
  clock_.Advance(3 * kMinute - 1);
  EXPECT_EQ(Key(), "one");
  clock_.Advance(1);
  EXPECT_EQ(Key(), "two");
}

TEST_F(WebIdentityTest, WhileTheServiceIsDownOldKeysAreUsedToTheirEnd) {
  AnswerKeys("one", "2026-11-30T11:09:36Z");
  EXPECT_EQ(Key(), "one");
  clock_.Advance(kHour - kMinute);
  EXPECT_EQ(Key(), "one");  // nothing is scripted: the exchange fails
  EXPECT_EQ(http_.asked().size(), 2U);
  EXPECT_EQ(Key(), "one");
  EXPECT_EQ(http_.asked().size(), 2U);  // not again at once
  clock_.Advance(kMinute);
  EXPECT_EQ(Key(), "web identity: https://sts.test: nothing is scripted");
  EXPECT_EQ(http_.asked().size(), 3U);
  AnswerKeys("two", "2026-11-30T12:09:36Z");
  EXPECT_THAT(Key(), HasSubstr("nothing is scripted"));
  clock_.Advance(10'000);
  EXPECT_EQ(Key(), "two");
}

TEST_F(WebIdentityTest, ExpiredKeysAreNotUsedAgain) {
  AnswerKeys("one", "2026-11-30T11:09:36Z");
  AnswerKeys("two", "2026-11-30T11:09:36Z");
  EXPECT_EQ(Key(), "one");
  source_->Expired();
  EXPECT_EQ(Key(), "two");
}

TEST_F(WebIdentityTest, RefusalsAreToldWithoutTheToken) {
  http_.Answer(403,
               "<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not authorized</Message>"
               "</Error></ErrorResponse>");
  EXPECT_EQ(Key(), "web identity: https://sts.test: HTTP status 403: AccessDenied: Not authorized");
  clock_.Advance(kMinute);
  http_.Answer(400,
               "<Error><Code>InvalidIdentityToken</Code><Message>bad token-1</Message></Error>");
  const std::string told = Key();
  EXPECT_THAT(told, HasSubstr("HTTP status 400: InvalidIdentityToken"));
  EXPECT_THAT(told, Not(HasSubstr("token-1")));
  clock_.Advance(kMinute);
  http_.Answer(502, "<html>Bad gateway</html>");
  EXPECT_EQ(Key(), "web identity: https://sts.test: HTTP status 502");
}

TEST_F(WebIdentityTest, AnswersWithoutKeysAreNone) {
  for (const char* body :
       {"", "<html/>", "<AccessKeyId>a</AccessKeyId>",
        "<AccessKeyId>a</AccessKeyId><SecretAccessKey>b</SecretAccessKey><SessionToken>c"
        "</SessionToken><Expiration>soon</Expiration>"}) {
    http_.Answer(200, body);
    EXPECT_THAT(Key(), HasSubstr("answer has no credentials")) << body;
    clock_.Advance(kMinute);
  }
}

TEST_F(WebIdentityTest, ATokenFileThatIsMissingOrEmpty) {
  WriteToken("\n");
  EXPECT_THAT(Key(), HasSubstr("token: is empty"));
  fs::remove(folder_ / "token");
  clock_.Advance(kMinute);
  EXPECT_THAT(Key(), HasSubstr("token: No such file or directory"));
  EXPECT_TRUE(http_.asked().empty());
}

}  // namespace
}  // namespace fss
