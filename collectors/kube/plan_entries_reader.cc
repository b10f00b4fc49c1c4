#include "collectors/kube/plan_entries_reader.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "collectors/kube/unpacking.h"
#include "collectors/plan_reader.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

constexpr std::size_t kMaxUnpackedBytes = 16U << 20U;
constexpr std::size_t kMaxTotalBytes = 64U << 20U;

class Entries {
 public:
  explicit Entries(std::string config_map) : config_map_(std::move(config_map)) {}

  void Add(const std::string& key, std::string_view bytes, bool binary) {
    PlanEntry entry;
    entry.key = key;
    std::string unpacked;
    if (binary) {
      Result<std::string> plain = Unpacked(bytes);
      if (!plain.ok()) {
        entry.error = plain.error().message;
        return entries_.push_back(std::move(entry));
      }
      unpacked = *std::move(plain);
      bytes = unpacked;
    }
    if (bytes.size() > left_) {
      entry.error = "left out: the plans of this ConfigMap are too large";
      return entries_.push_back(std::move(entry));
    }
    left_ -= bytes.size();
    Result<CompiledPlan> plan = ReadPlan(bytes, config_map_ + "/" + key);
    if (plan.ok()) {
      entry.plan = std::make_shared<const CompiledPlan>(*std::move(plan));
    } else {
      entry.error = plan.error().message;
    }
    entries_.push_back(std::move(entry));
  }

  std::vector<PlanEntry> Take() && {
    std::sort(entries_.begin(), entries_.end(),
              [](const PlanEntry& a, const PlanEntry& b) { return a.key < b.key; });
    return std::move(entries_);
  }

 private:
  Result<std::string> Unpacked(std::string_view base64) const {
    Result<std::string> bytes = FromBase64(base64);
    if (!bytes.ok() || !LooksGzipped(*bytes)) return bytes;
    return Gunzipped(*bytes, std::min(kMaxUnpackedBytes, left_));
  }

  const std::string config_map_;
  std::size_t left_ = kMaxTotalBytes;
  std::vector<PlanEntry> entries_;
};

}  // namespace

std::vector<PlanEntry> ReadPlanEntries(const rapidjson::Value& config_map, const std::string& key) {
  Entries entries(key);
  for (const auto& [field, binary] : {std::pair{"data", false}, std::pair{"binaryData", true}}) {
    const rapidjson::Value* values = ObjectMember(config_map, field);
    if (values == nullptr) continue;
    for (const auto& member : values->GetObject()) {
      if (!member.value.IsString()) continue;
      const std::string name(member.name.GetString(), member.name.GetStringLength());
      entries.Add(name, {member.value.GetString(), member.value.GetStringLength()}, binary);
    }
  }
  return std::move(entries).Take();
}

}  // namespace fss
