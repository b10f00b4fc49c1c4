#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "exporters/http/gzip.h"

namespace fss {

inline std::string Unzipped(std::string_view compressed) {
  std::string plain;
  EXPECT_TRUE(Gunzip(compressed, [&plain](std::string_view part) {
    plain.append(part);
    return true;
  }));
  return plain;
}

}  // namespace fss
