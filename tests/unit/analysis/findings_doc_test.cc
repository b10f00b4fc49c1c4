// docs/findings.md and the detectors say the same codes, both ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace fss {
namespace {

const std::filesystem::path kRoot =
    std::filesystem::path(FSS_TEST_DATA).parent_path().parent_path();

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<std::string> AllMatches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    found.insert((*it)[1].str());
  }
  return found;
}

TEST(FindingsDocTest, HasAnEntryForEveryCodeAndNoOther) {
  // How detectors name their codes: NodeFinding("…", JobFinding("…", finding.code = "….
  const std::regex in_code(R"re((?:Finding\(\s*|code = )"([a-z]+(?:-[a-z]+)+)")re");
  std::set<std::string> codes;
  for (const auto& file : std::filesystem::directory_iterator(kRoot / "sidecar" / "analysis")) {
    if (file.path().filename().string().ends_with("_detector.cc")) {
      codes.merge(AllMatches(ReadText(file.path()), in_code));
    }
  }
  EXPECT_GE(codes.size(), 9U);
  const std::regex in_docs(R"re(\n## `([a-z-]+)`)re");
  EXPECT_EQ(AllMatches(ReadText(kRoot / "docs" / "findings.md"), in_docs), codes);
}

TEST(FindingsDocTest, EveryDetectorIsListed) {
  const std::string list = ReadText(kRoot / "sidecar" / "analysis" / "detector_list.cc");
  for (const auto& file : std::filesystem::directory_iterator(kRoot / "sidecar" / "analysis")) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with("_detector.h")) continue;
    EXPECT_THAT(list, testing::HasSubstr(name));
  }
}

}  // namespace
}  // namespace fss
