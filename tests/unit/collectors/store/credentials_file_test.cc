#include "collectors/store/credentials_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kFile =
    "# of our team\r\n"
    "aws_access_key_id = before any profile\n"
    "[default]\r\n"
    "aws_access_key_id=AKIADEFAULT\r\n"
    "aws_secret_access_key = a/b+c=d#e;f\r\n"
    "\n"
    "[ team ] # ours\n"
    "; aws_access_key_id = commented\n"
    "aws_access_key_id = AKIATEAM # of 2026\n"
    "s3 =\n"
    "  aws_secret_access_key = nested\n"
    "aws_secret_access_key\t=\tsecret two\t; note\n"
    "aws_session_token = tok==\n"
    "[role]\n"
    "role_arn = arn:aws:iam::1:role/x\n"
    "[half]\n"
    "aws_access_key_id = AKIAHALF";

TEST(CredentialsFileTest, TheKeysOfAProfile) {
  EXPECT_EQ(*ParseCredentialsFile(kFile, "default"),
            (AwsCredentials{"AKIADEFAULT", "a/b+c=d#e;f", "", std::nullopt}));
  EXPECT_EQ(*ParseCredentialsFile(kFile, "team"),
            (AwsCredentials{"AKIATEAM", "secret two", "tok==", std::nullopt}));
}

TEST(CredentialsFileTest, WhatIsMissingIsNamedAndNothingShown) {
  for (const auto& [profile, message] : std::vector<std::pair<const char*, const char*>>{
           {"other", "has no profile 'other'"},
           {"role", "profile 'role' has no aws_access_key_id"},
           {"half", "profile 'half' has no aws_secret_access_key"},
           {"", "has no profile ''"}}) {
    const auto credentials = ParseCredentialsFile(kFile, profile);
    ASSERT_FALSE(credentials.ok()) << profile;
    EXPECT_EQ(credentials.error().message, message);
    EXPECT_THAT(credentials.error().ToString(), Not(HasSubstr("AKIA")));
  }
}

TEST(CredentialsFileTest, OddTextsAreNoTrouble) {
  for (const char* text : {"", "\n\n", "[", "[]", "[default", "=", "[default]\n=x\nx\n[[default]]",
                           "[default]\naws_access_key_id\naws_secret_access_key="}) {
    EXPECT_FALSE(ParseCredentialsFile(text, "default").ok()) << text;
  }
}

}  // namespace
}  // namespace fss
