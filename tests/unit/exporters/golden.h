// Golden files: what an exporter writes, kept beside the tests. FSS_UPDATE_GOLDEN=1 rewrites them.
#pragma once

#include <string>

namespace fss {

// The bytes of a file; a test failure and an empty text when it cannot be read.
std::string ReadFileOrFail(const std::string& path);

// Compares `actual` with tests/golden/exporters/<name>.
void ExpectGolden(const std::string& name, const std::string& actual);

}  // namespace fss
