#include "sidecar/analysis/plan_diff.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sidecar/analysis/description_change.h"
#include "sidecar/analysis/operator_uid.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_pairing.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/restore_texts.h"
#include "sidecar/analysis/state_holders.h"
#include "sidecar/analysis/ttl_change.h"

namespace fss {
namespace {

// One part of a node that keeps state, in its plan.
struct Part {
  const PlanNode* node = nullptr;
  const StateHolder* holder = nullptr;
};

// The state of one plan, by node.
struct Side {
  Side(const CompiledPlan& plan, const std::string& uid_format) : graph(plan) {
    holders.reserve(plan.nodes.size());
    for (const PlanNode& node : plan.nodes) holders.push_back(HoldersOf(node, uid_format));
  }

  PlanGraph graph;
  std::vector<std::vector<StateHolder>> holders;
};

// A part of the old plan and what it is in the new one; either may be missing.
struct Match {
  Part before;
  Part now;

  bool Mapped() const {
    return before.holder != nullptr && now.holder != nullptr &&
           before.holder->uid == now.holder->uid;
  }
};

const StateHolder* WithTransformation(const std::vector<StateHolder>& holders,
                                      std::string_view transformation) {
  const auto found = std::ranges::find(holders, transformation, &StateHolder::transformation);
  return found == holders.end() ? nullptr : &*found;
}

constexpr std::string_view kOtherTables =
    "No table that feeds it is the same as before: unless they are the same data under other "
    "names, "
    "the old state is another query's";

class Diff {
 public:
  Diff(const CompiledPlan& old_plan, const CompiledPlan& new_plan, const std::string& flink_version,
       const std::string& state_backend, const std::string& uid_format)
      : flink_version_(flink_version),
        state_backend_(state_backend),
        same_version_(old_plan.flink_version == new_plan.flink_version),
        old_(old_plan, uid_format),
        new_(new_plan, uid_format),
        pairing_(PairPlans(old_.graph, new_.graph, uid_format)) {}

  std::vector<PlanChange> Run() {
    MatchParts();
    for (const Match& match : matches_) {
      if (match.Mapped()) {
        CompareEntries(match);
      } else {
        TellUnmapped(match);
      }
    }
    CompareTexts();
    std::ranges::stable_sort(changes_, {}, &Numbered::Rank);
    std::vector<PlanChange> changes;
    changes.reserve(changes_.size());
    for (Numbered& numbered : changes_) changes.push_back(std::move(numbered.change));
    return changes;
  }

 private:
  struct Numbered {
    int place = 0;  // among the entries of the operator
    PlanChange change;

    // By number, what was removed after what has its number now.
    using Number = std::int64_t;
    std::tuple<Number, bool, Number, int, std::string_view, std::string_view> Rank() const {
      const bool removed = !change.node_id_new;
      const std::int64_t old_id = change.node_id_old.value_or(0);
      return {change.node_id_new.value_or(old_id),
              removed,
              old_id,
              place,
              change.label,
              change.message};
    }
  };
  // Of the changes of one operator its text comes first, then its entries.
  static constexpr int kWholeOperator = -1;

  void MatchParts() {
    for (std::size_t i = 0; i < old_.holders.size(); ++i) {
      const PlanNode* node = &old_.graph.node(i);
      const auto partner = pairing_.new_of_old[i];
      for (const StateHolder& holder : old_.holders[i]) {
        Match match{{node, &holder}, {}};
        if (partner) match.now.node = &new_.graph.node(*partner);
        if (partner) {
          match.now.holder = WithTransformation(new_.holders[*partner], holder.transformation);
        }
        matches_.push_back(match);
      }
    }
    for (std::size_t i = 0; i < new_.holders.size(); ++i) {
      const auto partner = pairing_.old_of_new[i];
      for (const StateHolder& holder : new_.holders[i]) {
        const bool matched =
            partner && WithTransformation(old_.holders[*partner], holder.transformation) != nullptr;
        if (matched) continue;
        Match match{{}, {&new_.graph.node(i), &holder}};
        if (partner) match.before.node = &old_.graph.node(*partner);
        matches_.push_back(match);
      }
    }
    std::set<const StateHolder*> given;
    std::set<const StateHolder*> taken;
    for (const Match& match : matches_) {
      if (!match.Mapped()) continue;
      given.insert(match.before.holder);
      taken.insert(match.now.holder);
      mapped_.try_emplace(match.before.node, match);
    }
    takers_ = WithoutRight(new_, taken);
    givers_ = WithoutRight(old_, given);
  }

  PlanChange* Add(const Match& match, PlanChangeKind kind, int place, const std::string& state) {
    const PlanNode* before = match.before.node;
    const PlanNode* now = match.now.node;
    PlanChange change;
    if (before != nullptr) change.node_id_old = before->id;
    if (now != nullptr) change.node_id_new = now->id;
    const PlanNode* shown = now != nullptr ? now : before;
    if (shown != nullptr) change.label = NodeLabel(*shown);
    change.state = state;
    change.change = kind;
    changes_.push_back({place, std::move(change)});
    return &changes_.back().change;
  }

  // --- state that Flink finds again ---

  void CompareEntries(const Match& match) {
    int place = 0;
    for (const EntryPair& entry : PairEntries(match.before.holder, match.now.holder)) {
      if (entry.before != nullptr && entry.now != nullptr) {
        CompareTtls(match, *entry.before, *entry.now, place);
      } else if (entry.now != nullptr) {
        PlanChange* change = Add(match, PlanChangeKind::kAdded, place, entry.now->name);
        change->new_ttl_ms = entry.now->ttl_ms;
        change->restore = RestoreOutcome::kNew;
        change->message = NewEntryText(PlaceText(change->state, change->label));
      } else if (entry.before != nullptr) {
        PlanChange* change = Add(match, PlanChangeKind::kRemoved, place, entry.before->name);
        change->old_ttl_ms = entry.before->ttl_ms;
        change->restore = RestoreOutcome::kLost;
        change->message = LostEntryText(PlaceText(change->state, change->label));
      }
      ++place;
    }
  }

  void CompareTtls(const Match& match, const HeldEntry& before, const HeldEntry& now, int place) {
    const std::string where = PlaceText(now.name, NodeLabel(*match.now.node));
    auto ttl = CompareTtl(where, before, now, flink_version_, state_backend_);
    if (!ttl) return;
    PlanChange* change = Add(match, PlanChangeKind::kTtl, place, now.name);
    change->old_ttl_ms = before.ttl_ms;
    change->new_ttl_ms = now.ttl_ms;
    change->restore = ttl->restore;
    change->message = std::move(ttl->message);
  }

  // Once for a node, whatever parts it has.
  void CompareTexts() {
    for (std::size_t i = 0; i < old_.holders.size(); ++i) {
      const auto partner = pairing_.new_of_old[i];
      if (!partner) continue;
      const auto found = mapped_.find(&old_.graph.node(i));
      if (found == mapped_.end()) continue;
      const Match& match = found->second;
      DescriptionChange text =
          CompareDescriptions(old_.graph, i, new_.graph, *partner, same_version_);
      if (pairing_.other_tables[i] && match.now.holder->certain) {
        text.changed = true;
        text.fits = false;
        text.message += (text.message.empty() ? "" : ". ") + std::string(kOtherTables);
      }
      if (!text.changed) continue;
      PlanChange* change = Add(match, PlanChangeKind::kDescription, kWholeOperator, {});
      change->restore = text.fits ? RestoreOutcome::kCompatible : RestoreOutcome::kRefused;
      change->message = ChangedText(change->label, match.now.holder->uid, text.message, text.fits);
    }
  }

  // --- state that it does not find, or gives to another operator ---

  // The parts that have a uid which is not theirs by right; of several the one of the least number.
  using ByUid = std::map<std::string_view, Part>;

  ByUid WithoutRight(const Side& side, const std::set<const StateHolder*>& rightful) const {
    ByUid parts;
    for (std::size_t i = 0; i < side.holders.size(); ++i) {
      for (const StateHolder& holder : side.holders[i]) {
        if (rightful.contains(&holder)) continue;
        const Part part{&side.graph.node(i), &holder};
        const auto [found, added] = parts.emplace(holder.uid, part);
        if (!added && part.node->id < found->second.node->id) found->second = part;
      }
    }
    return parts;
  }

  static std::string LabelAt(const ByUid& parts, const StateHolder* holder) {
    if (holder == nullptr) return {};
    const auto found = parts.find(holder->uid);
    return found == parts.end() ? std::string() : NodeLabel(*found->second.node);
  }

  // Entry by entry; a part without entries is told as a whole.
  void TellUnmapped(const Match& match) {
    const Strangers strangers{LabelAt(takers_, match.before.holder),
                              LabelAt(givers_, match.now.holder)};
    std::vector<EntryPair> entries = PairEntries(match.before.holder, match.now.holder);
    if (entries.empty()) entries.emplace_back();
    int place = 0;
    for (const EntryPair& entry : entries) TellEntry(match, strangers, entry, place++);
  }

  void TellEntry(const Match& match, const Strangers& strangers, const EntryPair& entry,
                 int place) {
    const HeldEntry* before = entry.before;
    const HeldEntry* now = entry.now;
    std::string name;
    if (before != nullptr) name = before->name;
    if (now != nullptr) name = now->name;
    PlanChangeKind kind = PlanChangeKind::kDescription;
    if (match.before.holder == nullptr) kind = PlanChangeKind::kAdded;
    if (match.now.holder == nullptr) kind = PlanChangeKind::kRemoved;
    if (before != nullptr && now != nullptr && before->ttl_ms != now->ttl_ms) {
      kind = PlanChangeKind::kTtl;
    }
    PlanChange* change = Add(match, kind, place, name);
    if (before != nullptr) change->old_ttl_ms = before->ttl_ms;
    if (now != nullptr) change->new_ttl_ms = now->ttl_ms;
    const std::string where = PlaceText(name, change->label);
    if (!strangers.taker.empty() || !strangers.giver.empty()) {
      change->restore = RestoreOutcome::kRefused;
      change->message = StrangersText(where, match.before.holder, match.now.holder, strangers);
    } else if (match.before.holder == nullptr) {
      change->restore = RestoreOutcome::kNew;
      change->message = AddedText(where, *match.now.holder);
    } else {
      change->restore = RestoreOutcome::kLost;
      change->message = LostText(where, *match.before.holder, match.now.holder);
    }
  }

  const std::string& flink_version_;
  const std::string& state_backend_;
  const bool same_version_;
  const Side old_;
  const Side new_;
  const PlanPairing pairing_;
  std::vector<Match> matches_;
  std::map<const PlanNode*, Match> mapped_;  // by old node: the first part that Flink finds again
  ByUid takers_;                             // of the new plan
  ByUid givers_;                             // of the old one
  std::vector<Numbered> changes_;
};

}  // namespace

PlanDiff DiffPlans(const CompiledPlan& old_plan, const CompiledPlan& new_plan,
                   const DiffOptions& options) {
  const std::string uid_format =
      options.uid_format.empty() ? std::string(kDefaultUidFormat) : options.uid_format;
  PlanDiff diff;
  diff.old_file = old_plan.file;
  diff.new_file = new_plan.file;
  diff.flink_version =
      options.flink_version.empty() ? new_plan.flink_version : options.flink_version;
  diff.changes =
      Diff(old_plan, new_plan, diff.flink_version, options.state_backend, uid_format).Run();
  return diff;
}

}  // namespace fss
