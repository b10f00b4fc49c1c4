#include "golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fss {

std::string ReadFileOrFail(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << "cannot read " << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void ExpectGolden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(FSS_TEST_DATA) + "/exporters/" + name;
  if (std::getenv("FSS_UPDATE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(path, std::ios::binary) << actual;
  }
  EXPECT_EQ(ReadFileOrFail(path), actual) << "FSS_UPDATE_GOLDEN=1 accepts the change";
}

}  // namespace fss
