// Mutates compiled plans as JSON (nodes, edges, fields and texts, not single bytes), judges them
// and compares them with each other: whatever a plan says, lint and diff return, what lint prints
// in each format is that format, and what diff tells is of the two plans.
#include <rapidjson/document.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/plan_reader.h"
#include "exporters/json/lint_json.h"
#include "exporters/junit/lint_junit.h"
#include "exporters/sarif/lint_sarif.h"
#include "exporters/text/lint_text.h"
#include "sidecar/analysis/plan_diff.h"
#include "sidecar/analysis/plan_lint.h"

namespace {

using Json = rapidjson::Value;

void Require(bool holds) {
  if (!holds) std::abort();
}

void RequireJson(const std::string& text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  Require(!document.HasParseError());
}

void RequirePrintable(const std::string& text) {
  Require(
      std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' && c != '\n'; }));
}

void Judge(const fss::CompiledPlan& plan) {
  const std::vector<fss::LintedPlan> judged = {fss::LintPlan(plan)};
  Require(judged[0].operators.size() == plan.nodes.size());
  for (const fss::Finding& finding : judged[0].findings) {
    Require(!finding.code.empty() && !finding.message.empty());
  }
  RequireJson(fss::LintJson(judged));
  RequireJson(fss::LintSarif(judged));
  RequirePrintable(fss::LintText(judged, {}));
  RequirePrintable(fss::LintJunit(judged, [](const fss::Finding&) { return true; }));
}

void CheckChanges(const fss::CompiledPlan& old_plan, const fss::CompiledPlan& new_plan,
                  const fss::DiffOptions& options) {
  for (const fss::PlanChange& change : fss::DiffPlans(old_plan, new_plan, options).changes) {
    Require(change.node_id_old || change.node_id_new);
    Require(!change.node_id_old || old_plan.FindNode(*change.node_id_old) != nullptr);
    Require(!change.node_id_new || new_plan.FindNode(*change.node_id_new) != nullptr);
    Require(!change.message.empty());
    Require(change.restore != fss::RestoreOutcome::kNew || !change.old_ttl_ms);
  }
}

void RequireNoChanges(const fss::PlanDiff& diff) {
  for (const fss::PlanChange& change : diff.changes) {
    std::fprintf(stderr, "node %lld -> %lld %s %s: %s\n",
                 static_cast<long long>(change.node_id_old.value_or(-1)),
                 static_cast<long long>(change.node_id_new.value_or(-1)), change.label.c_str(),
                 change.state.c_str(), change.message.c_str());
  }
  Require(diff.changes.empty());
}

// With itself, in whatever order its nodes are, and with the plan before, mostly another mutation
// of the same one.
void Compare(const fss::CompiledPlan& plan) {
  static fss::CompiledPlan before;
  RequireNoChanges(fss::DiffPlans(plan, plan, {}));
  fss::CompiledPlan backwards = plan;
  std::reverse(backwards.nodes.begin(), backwards.nodes.end());
  RequireNoChanges(fss::DiffPlans(plan, backwards, {}));
  CheckChanges(before, plan, {});
  CheckChanges(plan, before, {"1.20", "hashmap", ""});
  before = plan;
}

// RapidJSON writes by recursion.
bool IsDeep(std::string_view json) {
  constexpr int kDeepest = 200;
  int depth = 0;
  return std::any_of(json.begin(), json.end(), [&depth](char c) {
    depth += (c == '[' || c == '{' ? 1 : 0) - (c == ']' || c == '}' ? 1 : 0);
    return depth > kDeepest;
  });
}

// One random change to a plan's JSON.
class Mutation {
 public:
  Mutation(rapidjson::Document* plan, unsigned seed) : plan_(*plan), random_(seed) {}

  void Apply() {
    Json* list = List(Below(2) == 0 ? "nodes" : "edges");
    if (list == nullptr || list->Empty()) return;
    Json& item = (*list)[Below(list->Size())];
    switch (Below(5)) {
      case 0:
        list->PushBack(Json(item, plan_.GetAllocator()), plan_.GetAllocator());
        break;
      case 1:
        list->Erase(&item);
        break;
      case 2:
        item.Swap((*list)[Below(list->Size())]);
        break;
      default:
        Change(&item);
    }
  }

 private:
  // Goes down to a random value and changes, moves or removes it.
  void Change(Json* value) {
    if (value->IsObject() && !value->ObjectEmpty()) {
      const auto member = value->MemberBegin() + Below(value->MemberCount());
      if (Below(12) == 0) {
        value->EraseMember(member);
      } else {
        Change(&member->value);
      }
    } else if (value->IsArray() && !value->Empty()) {
      Change(&(*value)[Below(value->Size())]);
    } else if (value->IsString()) {
      ChangeText(value);
    } else if (value->IsNumber()) {
      value->SetInt64(Below(3) == 0 ? static_cast<std::int64_t>(random_()) : Below(40));
    } else {
      value->SetNull();
    }
  }

  void ChangeText(Json* value) {
    std::string text(value->GetString(), value->GetStringLength());
    const std::string other = AnyText();
    const std::size_t at = Below(text.size() + 1);
    switch (Below(4)) {
      case 0:
        text = other;  // another node's type, description or TTL
        break;
      case 1:
        text.insert(at, other.substr(Below(other.size() + 1), Below(30)));
        break;
      case 2:
        text.erase(at, Below(30));
        break;
      default:
        text.insert(at, 1, "[](),=$`' \"<\x01\xC3\xA9\n"[Below(16)]);
    }
    value->SetString(text.data(), static_cast<rapidjson::SizeType>(text.size()),
                     plan_.GetAllocator());
  }

  // A type, description or TTL of some node.
  std::string AnyText() {
    Json* nodes = List("nodes");
    if (nodes == nullptr || nodes->Empty()) return "0 ms";
    Json& node = (*nodes)[Below(nodes->Size())];
    const char* const names[] = {"type", "description"};
    const char* name = names[Below(2)];
    if (!node.IsObject() || !node.HasMember(name) || !node[name].IsString()) return "1 d";
    return node[name].GetString();
  }

  Json* List(const char* name) {
    if (!plan_.IsObject() || !plan_.HasMember(name) || !plan_[name].IsArray()) return nullptr;
    return &plan_[name];
  }

  unsigned Below(std::size_t end) { return static_cast<unsigned>(end == 0 ? 0 : random_() % end); }

  rapidjson::Document& plan_;
  std::minstd_rand random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  rapidjson::Document plan;
  plan.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (plan.HasParseError() || IsDeep(json)) return LLVMFuzzerMutate(data, size, most);
  Mutation mutation(&plan, seed);
  for (unsigned i = 0; i <= seed % 3; ++i) mutation.Apply();
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  plan.Accept(writer);
  if (text.GetSize() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.GetString(), text.GetSize());
  return text.GetSize();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  const fss::Result<fss::CompiledPlan> plan = fss::ReadPlan(json, "fuzz");
  if (!plan.ok()) return 0;
  Judge(*plan);
  Compare(*plan);
  return 0;
}
