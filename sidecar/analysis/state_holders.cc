#include "sidecar/analysis/state_holders.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/operator_uid.h"
#include "sidecar/analysis/plan_index.h"

namespace fss {
namespace {

std::vector<HeldEntry> EntriesOf(const PlanNode& node, const OperatorKind* row) {
  std::vector<StateEntry> listed = node.state;
  std::ranges::stable_sort(listed, {}, &StateEntry::index);
  std::vector<HeldEntry> entries;
  entries.reserve(listed.size());
  for (StateEntry& entry : listed) {
    entries.push_back({std::move(entry.name), std::move(entry.ttl), entry.ttl_ms});
  }
  // What was taken out of the list by hand, or was not yet listed by an old Flink, is there all
  // the same. Of a family ("input-state-") nobody knows how many.
  if (row == nullptr || !KeepsKeyedState(node)) return entries;
  for (const std::string_view name : row->entries) {
    const bool there = std::ranges::find(entries, name, &HeldEntry::name) != entries.end();
    if (!there && !name.ends_with('-')) entries.push_back({std::string(name), {}, std::nullopt});
  }
  return entries;
}

class Collector {
 public:
  Collector(const PlanNode& node, const std::string& uid_format)
      : node_(node), uid_format_(uid_format) {}

  StateHolder& Add(std::string_view transformation) {
    StateHolder& holder = holders_.emplace_back();
    holder.transformation = transformation;
    // A function's own uid stands in the place of the whole format.
    holder.uid = node_.uid.empty() ? ExpandUid(uid_format_, node_, transformation) : node_.uid;
    return holder;
  }
  void AddConnector(std::string_view transformation) {
    StateHolder& holder = Add(transformation);
    holder.connector = true;
    holder.certain = false;
  }
  std::vector<StateHolder> Take() { return std::move(holders_); }

 private:
  const PlanNode& node_;
  const std::string& uid_format_;
  std::vector<StateHolder> holders_;
};

}  // namespace

std::vector<EntryPair> PairEntries(const StateHolder* before, const StateHolder* now) {
  std::multimap<std::string_view, std::size_t> by_name;  // equal names in the order of the list
  std::vector<const HeldEntry*> left;
  if (before != nullptr) {
    for (const HeldEntry& entry : before->entries) {
      by_name.emplace(entry.name, left.size());
      left.push_back(&entry);
    }
  }
  std::vector<EntryPair> pairs;
  if (now != nullptr) {
    for (const HeldEntry& entry : now->entries) {
      EntryPair& pair = pairs.emplace_back();
      pair.now = &entry;
      const auto found = by_name.lower_bound(entry.name);
      if (found == by_name.end() || found->first != entry.name) continue;
      pair.before = std::exchange(left[found->second], nullptr);
      by_name.erase(found);
    }
  }
  for (const HeldEntry* entry : left) {
    if (entry != nullptr) pairs.push_back({entry, nullptr});
  }
  return pairs;
}

std::vector<StateHolder> HoldersOf(const PlanNode& node, const std::string& uid_format) {
  if (node.batch) return {};
  Collector holders(node, uid_format);
  const OperatorKind* row = FindOperatorKind(node.kind);
  const std::string_view kind = node.kind;
  const std::string_view first = TransformationsOf(row, kind).front();
  const Cleanup cleanup = CleanupOf(node);
  const bool keyed = KeepsKeyedState(node);
  if (IsSinkKind(node.kind)) {
    // The materializer is an operator of its own before the sink.
    if (keyed) holders.Add(first).entries = EntriesOf(node, row);
    holders.AddConnector("sink");
  } else if (keyed) {
    holders.Add(first).entries = EntriesOf(node, row);
  } else if (node.kind == "lookup-join") {
    // Without the materializer: rows whose lookup is under way.
    if (cleanup == Cleanup::kBounded) holders.Add("lookup-join");
  } else if (cleanup == Cleanup::kConnector) {
    holders.AddConnector(first);
  } else if (cleanup == Cleanup::kBounded) {
    holders.Add(first);
  } else if (cleanup == Cleanup::kUnknown) {
    StateHolder& holder = holders.Add(first);
    holder.certain = false;
    holder.entries = EntriesOf(node, nullptr);
  }
  return holders.Take();
}

}  // namespace fss
