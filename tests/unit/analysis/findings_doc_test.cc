// docs/findings.md and the detectors say the same codes, both ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
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

// The words of lower-case letters and dashes that stand between `before` and `after` (a "-" among
// them), white space in front left out. Written by hand: GCC 12 warns of std::regex when it
// sanitizes.
std::set<std::string> WordsBetween(const std::string& text, const std::string& before, char after) {
  constexpr const char* kWordChars = "abcdefghijklmnopqrstuvwxyz-";
  std::set<std::string> words;
  for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
    auto begin = text.find_first_not_of(" \n", at + before.size());
    if (begin == std::string::npos) break;
    if (after == '"') {
      if (text[begin] != '"') continue;
      ++begin;
    }
    const auto end = text.find_first_not_of(kWordChars, begin);
    if (end == std::string::npos || text[end] != after) continue;
    const std::string word = text.substr(begin, end - begin);
    words.insert(word);
  }
  return words;
}

TEST(FindingsDocTest, HasAnEntryForEveryCodeAndNoOther) {
  std::set<std::string> codes;
  for (const auto& file : std::filesystem::directory_iterator(kRoot / "sidecar" / "analysis")) {
    if (file.path().filename().string().ends_with("_detector.cc")) {
      // NodeFinding("…", JobFinding("…", finding.code = "….
      for (const char* before : {"Finding(", "code = "}) {
        codes.merge(WordsBetween(ReadText(file.path()), before, '"'));
      }
    }
  }
  EXPECT_GE(codes.size(), 9U);
  EXPECT_EQ(WordsBetween(ReadText(kRoot / "docs" / "findings.md"), "\n## `", '`'), codes);
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
