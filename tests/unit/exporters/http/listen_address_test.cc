#include "exporters/http/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

using testing::AnyOf;

std::string Parsed(std::string_view listen) {
  const Result<std::string> port = CivetwebListeningPort(listen);
  return port ? *port : "error: " + port.error().message;
}

TEST(ListenAddressTest, AddressesAndNames) {
  EXPECT_EQ(Parsed("0.0.0.0:9249"), "0.0.0.0:9249");
  EXPECT_EQ(Parsed("127.0.0.1:0"), "127.0.0.1:0");
  EXPECT_EQ(Parsed("localhost:9249"), "127.0.0.1:9249");
  EXPECT_EQ(Parsed("[::1]:65535"), "[::1]:65535");
}

TEST(ListenAddressTest, AllAddresses) {
  for (const char* all : {":9249", "*:9249", "[::]:9249"}) {
    EXPECT_THAT(Parsed(all), AnyOf("+9249", "0.0.0.0:9249")) << all;
  }
}

TEST(ListenAddressTest, WhatIsNoAddressIsTold) {
  for (const char* wrong : {"", "9249", "host", "host:", "host:x", "host:-1", "host:65536",
                            "host:99999999999", "::1:9249", "[::1]", "[::1]9249", "[host]:9249",
                            "1.2.3.4:80s", "a,b:80", "a b:80", "http://host:80", ":"}) {
    const Result<std::string> port = CivetwebListeningPort(wrong);
    ASSERT_FALSE(port.ok()) << wrong << " → " << *port;
    EXPECT_EQ(port.error().code, ErrorCode::kInvalidArgument) << wrong;
    EXPECT_EQ(port.error().context, wrong);
  }
  EXPECT_EQ(Parsed("no-such-host.invalid:80"), "error: the host does not resolve");
}

}  // namespace
}  // namespace fss
