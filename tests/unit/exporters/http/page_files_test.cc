#include "exporters/http/page_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Source(const std::string& name) {
  std::ifstream file(std::string(FSS_TEST_DATA "/../../exporters/http/page/") + name,
                     std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PageFilesTest, AreTheSourcesByteForByte) {
  EXPECT_EQ(kPageHtml, Source("index.html"));
  EXPECT_EQ(kPageCss, Source("page.css"));
  EXPECT_EQ(kPageIcon, Source("page.svg"));
}

// Every line of every module but for imports; what is exported keeps its line without the word.
TEST(PageFilesTest, TheScriptIsAllModules) {
  const std::string script(kPageJs);
  std::size_t at = 0;
  for (const char* module :
       {"format", "dom", "sparkline", "findings", "graph", "overview", "job", "main"}) {
    std::istringstream lines(Source(std::string("js/") + module + ".js"));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("import ")) continue;
      if (line.starts_with("export ")) line.erase(0, 7);
      const std::size_t found = script.find(line + "\n", at);
      ASSERT_NE(found, std::string::npos) << module << ": " << line;
      at = found + line.size();
    }
  }
  EXPECT_THAT(script, Not(HasSubstr("\nimport ")));
  EXPECT_THAT(script, Not(HasSubstr("\nexport ")));
}

// Nothing on the page comes from elsewhere, and no text becomes markup or code.
TEST(PageFilesTest, NothingFromElsewhereAndNoSinks) {
  for (const std::string& file :
       {std::string(kPageHtml), std::string(kPageCss), std::string(kPageJs)}) {
    std::string without_namespace = file;
    const std::string svg = "http://www.w3.org/2000/svg";
    const std::size_t at = without_namespace.find(svg);
    if (at != std::string::npos) without_namespace.erase(at, svg.size());
    for (const char* word : {"http://", "https://", "//cdn", "innerHTML", "outerHTML", "eval(",
                             "document.write", "insertAdjacent", " onclick=", "javascript:"}) {
      EXPECT_THAT(without_namespace, Not(HasSubstr(word)));
    }
  }
}

}  // namespace
}  // namespace fss
