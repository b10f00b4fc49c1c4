// What the poll loops of all clusters share: plans, rules, the history file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collectors/plan_folder.h"
#include "collectors/rules_file.h"
#include "sidecar/analysis/history_store.h"
#include "sidecar/analysis/sqlite_history_store.h"
#include "sidecar/app/log.h"
#include "sidecar/base/result.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/rules.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// A plan that was found elsewhere than in the folder.
struct FoundPlan {
  std::shared_ptr<const CompiledPlan> plan;
  std::string cluster;  // it is this cluster's alone; empty: whosever it fits
};

struct FoundPlans {
  std::vector<FoundPlan> plans;
  std::vector<UnreadablePlan> unreadable;
};

// Safe from any thread, but Refresh, which is one thread's.
class FleetServices {
 public:
  // By the flags. kInvalidArgument names the flag.
  static Result<std::unique_ptr<FleetServices>> FromFlags();

  // Looks at the plan folder and the rules file again; call it once per interval.
  void Refresh();
  // The plans that discovery found, all of them each time.
  void SetFound(FoundPlans found);

  // The plans for one cluster: those of all, and its own. The same object until they change.
  std::shared_ptr<const PlanLibrary> PlansOf(const std::string& cluster) const;
  bool plans_configured() const;
  std::shared_ptr<const Rules> rules() const;  // never nullptr
  // nullptr without --history_file.
  std::unique_ptr<HistoryStore> HistoryOf(const std::string& cluster) const;

  // "plans" and "rules", of the last Refresh; and how many plans there are.
  std::map<std::string, bool> collector_success() const;
  std::size_t plans_loaded() const;
  std::size_t plans_unreadable() const;

 private:
  FleetServices() = default;
  void RefreshPlans();
  void RefreshRules();
  void Rebuild();

  // Refresh's own.
  std::unique_ptr<PlanFolder> folder_;  // none without --plan_dir
  std::unique_ptr<RulesFile> rules_file_;
  TroubleLog plan_trouble_{"reading --plan_dir"};
  TroubleLog rules_trouble_{"reading --rules_file"};
  std::shared_ptr<HistoryFile> history_;

  mutable std::mutex mutex_;  // of all below
  std::shared_ptr<const PlanLibrary> in_folder_ = std::make_shared<const PlanLibrary>();
  FoundPlans found_;
  std::shared_ptr<const PlanLibrary> for_all_ = std::make_shared<const PlanLibrary>();
  std::map<std::string, std::shared_ptr<const PlanLibrary>> for_one_;
  std::uint64_t generation_ = 0;
  std::shared_ptr<const Rules> rules_ = std::make_shared<const Rules>();
  std::map<std::string, bool> success_;
  std::size_t unreadable_ = 0;
  std::size_t loaded_ = 0;
};

}  // namespace fss
