#include "collectors/store/aws_environment.h"

#include <gtest/gtest.h>

#include <map>

namespace fss {
namespace {

using Variables = std::map<std::string, std::string>;

Result<AwsEnvironment> Read(const Variables& variables) {
  return ReadAwsEnvironment([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

TEST(AwsEnvironmentTest, TheMoreSpecialVariableDecides) {
  const auto aws = Read({{"AWS_ENDPOINT_URL", "http://all"},
                         {"AWS_ENDPOINT_URL_S3", "http://s3"},
                         {"AWS_REGION", "eu-west-1"},
                         {"AWS_DEFAULT_REGION", "us-west-2"}});
  ASSERT_TRUE(aws.ok());
  EXPECT_EQ(aws->s3_endpoint, "http://s3");
  EXPECT_EQ(aws->sts_endpoint, "http://all");
  EXPECT_EQ(aws->region, "eu-west-1");
  EXPECT_EQ(Read({{"AWS_DEFAULT_REGION", "us-west-2"}})->region, "us-west-2");
}

TEST(AwsEnvironmentTest, WhatIsNotSetHasTheSdksDefaults) {
  const auto aws = Read({{"HOME", "/home/anna"}});
  ASSERT_TRUE(aws.ok());
  EXPECT_EQ(aws->credentials_file, "/home/anna/.aws/credentials");
  EXPECT_EQ(aws->profile, "default");
  EXPECT_EQ(aws->role_session_name, "flink-state-sidecar");
  EXPECT_EQ(Read({})->credentials_file, "");
}

TEST(AwsEnvironmentTest, HalfAPairIsNamed) {
  EXPECT_EQ(Read({{"AWS_ACCESS_KEY_ID", "a"}}).error().ToString(),
            "AWS_SECRET_ACCESS_KEY: is not set, but AWS_ACCESS_KEY_ID");
  EXPECT_EQ(Read({{"AWS_SECRET_ACCESS_KEY", "s"}}).error().ToString(),
            "AWS_ACCESS_KEY_ID: is not set, but AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(Read({{"AWS_WEB_IDENTITY_TOKEN_FILE", "f"}}).error().ToString(),
            "AWS_ROLE_ARN: is not set, but AWS_WEB_IDENTITY_TOKEN_FILE");
  EXPECT_TRUE(Read({{"AWS_ROLE_ARN", "r"}}).ok());
}

TEST(AwsEnvironmentTest, Regions) {
  EXPECT_TRUE(IsAwsRegion("eu-west-1"));
  for (const char* region : {"", "eu_west", "EU", "a.b", "a/b", "eu-west-1\n", "x:y"}) {
    EXPECT_FALSE(IsAwsRegion(region)) << region;
  }
  EXPECT_FALSE(IsAwsRegion(std::string(65, 'a')));
}

}  // namespace
}  // namespace fss
