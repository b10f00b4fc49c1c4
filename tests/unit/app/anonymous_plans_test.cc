// Plans without their names are judged as the plans they come from, and hold none of the names: on
// the recorded plans, and, where FSS_FLINK_TEST_PLANS is set, on Flink's own test plans (as in
// tests/unit/collectors/flink_test_plans_test.cc).
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "collectors/anonymous_json.h"
#include "collectors/flink_words.h"
#include "collectors/plan_reader.h"
#include "sidecar/analysis/plan_lint.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

std::string Content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool IsWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         (c & 0x80) != 0;
}

struct Word {
  std::string text;
  char next = '\0';  // what follows it
};

std::vector<Word> WordsOf(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordChar(text[end])) ++end;
    if (end > at) {
      words.push_back(
          {std::string(text.substr(at, end - at)), end < text.size() ? text[end] : '\0'});
    }
    at = end + 1;
  }
  return words;
}

// Words of one attribute's values, as the test plans have them; "10 s" and the like.
const std::set<std::string> kValues = {
    "ALL",         "Binary",    "Cascade", "DEDUPLICATE", "ERROR",   "FINAL",    "FIRST",
    "FIXED_DELAY", "FULL",      "INNER",   "LAST",        "LEFT",    "MATCH",    "NEXT",
    "NONE",        "NOTHING",   "ONE",     "PARTIAL",     "PAST",    "PER",      "RANK",
    "RIGHT",       "SECOND",    "SKIP",    "MINUTE",      "HOUR",    "DAY",      "UNORDERED",
    "forward",     "broadcast", "single",  "ROW_NUMBER",  "options", "periodic", "left",
    "right",       "s",         "ms",      "min",         "h",       "d",        "0s",
    "1d",          "2d",        "1000ms",  "10000ms"};

// Whether Flink itself writes the word at this place of a description.
bool IsFlinks(const Word& word) {
  const bool number = word.text.find_first_not_of("0123456789") == std::string::npos;
  if (word.text.find('$') != std::string::npos) return true;  // made up by Flink
  if (number || IsFlinkWord(word.text) || kValues.contains(word.text)) return true;
  if (word.next == '(' || word.next == '[') return IsFlinkCallable(word.text);
  if (word.next == '=') return IsFlinkAttribute(word.text);
  return word.next == '\0' && word.text == "DropUpdateBefore";
}

bool IsPseudonym(const std::string& word) {
  return word.starts_with("x_") || word.starts_with("s_") || word.starts_with("n_");
}

// Words of the names in a plan: columns, tables, literals and whatever else has a name.
void GatherNames(const rapidjson::Value& value, std::set<std::string>* names) {
  static const std::set<std::string> kNaming = {
      "name",       "identifier",  "value", "uid",     "rowtimeAttribute",
      "systemName", "catalogName", "class", "comment", "functionName"};
  if (value.IsArray()) {
    for (const auto& element : value.GetArray()) GatherNames(element, names);
  }
  if (!value.IsObject()) return;
  for (const auto& member : value.GetObject()) {
    if (member.value.IsString() && kNaming.contains(member.name.GetString())) {
      for (const Word& word : WordsOf(member.value.GetString())) names->insert(word.text);
    }
    if (std::string_view(member.name.GetString()) == "options" && member.value.IsObject()) {
      for (const auto& option : member.value.GetObject()) {
        for (const Word& word : WordsOf(option.value.IsString() ? option.value.GetString() : "")) {
          names->insert(word.text);
        }
      }
    }
    // The names of states are Flink's.
    if (std::string_view(member.name.GetString()) != "state") GatherNames(member.value, names);
  }
}

using Place = std::tuple<std::optional<std::int64_t>, std::string, std::string, Severity>;

std::multiset<Place> PlacesOf(const CompiledPlan& plan) {
  std::multiset<Place> places;
  for (const Finding& finding : EvaluatePlan(plan)) {
    places.emplace(finding.node_id, finding.code, finding.state, finding.severity);
  }
  return places;
}

void ExpectSameStates(const CompiledPlan& plan, const CompiledPlan& anonymous) {
  ASSERT_EQ(anonymous.nodes.size(), plan.nodes.size());
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlanNode& before = plan.nodes[n];
    const PlanNode& after = anonymous.nodes[n];
    EXPECT_EQ(after.id, before.id);
    EXPECT_EQ(after.type, before.type);
    EXPECT_EQ(after.declares_state, before.declares_state);
    EXPECT_EQ(after.rowtime.empty(), before.rowtime.empty());
    ASSERT_EQ(after.state.size(), before.state.size());
    for (std::size_t s = 0; s < before.state.size(); ++s) {
      EXPECT_EQ(after.state[s].name, before.state[s].name);
      EXPECT_EQ(after.state[s].ttl, before.state[s].ttl);
      EXPECT_EQ(after.state[s].ttl_ms, before.state[s].ttl_ms);
    }
  }
}

// Checks one plan; false when the file is none.
bool Check(const fs::path& file) {
  const std::string json = Content(file);
  const auto plan = ReadPlan(json, "plan");
  rapidjson::Document document;
  if (!plan.ok() || document.Parse(json).HasParseError()) return false;
  SCOPED_TRACE(file.string());
  Pseudonyms names;
  const std::string without = AnonymousPlanJson(*plan, &names);
  const auto anonymous = ReadPlan(without, "plan");
  if (!anonymous.ok()) {
    ADD_FAILURE() << anonymous.error().ToString();
    return true;
  }
  ExpectSameStates(*plan, *anonymous);
  EXPECT_EQ(PlacesOf(*anonymous), PlacesOf(*plan));

  std::set<std::string> of_people;
  GatherNames(document, &of_people);
  for (const PlanNode& node : anonymous->nodes) {
    for (const Word& word : WordsOf(node.description)) {
      if (IsPseudonym(word.text)) continue;
      EXPECT_TRUE(IsFlinks(word)) << word.text << " in " << node.description;
      const bool name = of_people.contains(word.text) && word.text.find('$') == std::string::npos &&
                        word.next != '=' && word.next != '(' && word.next != '[';
      const bool digits = word.text.find_first_not_of("0123456789") == std::string::npos;
      if (name && !digits && !kValues.contains(word.text)) {
        EXPECT_TRUE(IsFlinkWord(word.text)) << word.text << " in " << node.description;
      }
    }
    EXPECT_TRUE(node.rowtime.empty() || node.rowtime == "w$rowtime" || IsPseudonym(node.rowtime))
        << node.rowtime;
    EXPECT_TRUE(node.uid.empty() || IsPseudonym(node.uid)) << node.uid;
  }
  return true;
}

TEST(AnonymousPlansTest, RecordedPlans) {
  int plans = 0;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(fs::path(FSS_TEST_DATA))) {
    const std::string name = entry.path().filename().string();
    const bool plan = name == "plan.json" || entry.path().parent_path().filename() == "plans";
    if (plan && entry.path().extension() == ".json" && Check(entry.path())) ++plans;
  }
  EXPECT_GE(plans, 6);
}

TEST(AnonymousPlansTest, FlinksOwnTestPlans) {
  const char* folder = std::getenv("FSS_FLINK_TEST_PLANS");
  if (folder == nullptr) GTEST_SKIP() << "FSS_FLINK_TEST_PLANS names no folder";
  int plans = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".json" && extension != ".out")) continue;
    if (Check(entry.path())) ++plans;
  }
  EXPECT_GT(plans, 500);
}

}  // namespace
}  // namespace fss
