#include "sidecar/app/fleet/fleet_services.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sidecar/app/flags.h"
#include "sidecar/app/history.h"

namespace fss {
namespace {

constexpr const char* kPlanCollector = "plans";
constexpr const char* kRulesCollector = "rules";

void LogPlans(const PlanLibrary& library) {
  Log(LogLevel::kInfo, "plans read",
      {{"plans", std::to_string(library.plans.size())},
       {"unreadable", std::to_string(library.unreadable.size())}});
  for (const UnreadablePlan& plan : library.unreadable) {
    Log(LogLevel::kWarn, "plan cannot be read", {{"file", plan.file}, {"error", plan.error}});
  }
}

void Sort(PlanLibrary* library) {
  std::sort(library->plans.begin(), library->plans.end(),
            [](const CompiledPlan& a, const CompiledPlan& b) { return a.file < b.file; });
}

}  // namespace

Result<std::unique_ptr<FleetServices>> FleetServices::FromFlags() {
  auto history = HistoryFileFromFlags();
  if (!history.ok()) return history.error();
  std::unique_ptr<FleetServices> services(new FleetServices);
  services->history_ = *std::move(history);
  if (!FLAGS_plan_dir.empty()) services->folder_ = std::make_unique<PlanFolder>(FLAGS_plan_dir);
  if (!FLAGS_rules_file.empty()) {
    services->rules_file_ = std::make_unique<RulesFile>(FLAGS_rules_file);
    const auto rules = services->rules_file_->Refresh();
    if (!rules.ok()) {
      return Error{ErrorCode::kInvalidArgument, rules.error().ToString(), "--rules_file"};
    }
  }
  services->Refresh();
  return services;
}

void FleetServices::Refresh() {
  if (folder_) RefreshPlans();
  if (rules_file_) RefreshRules();
}

void FleetServices::RefreshPlans() {
  const auto fresh = folder_->Refresh();
  if (!fresh.ok()) {
    plan_trouble_.Failed(fresh.error().ToString());
    const std::lock_guard lock(mutex_);
    success_[kPlanCollector] = false;
    return;
  }
  plan_trouble_.Recovered();
  const std::lock_guard lock(mutex_);
  success_[kPlanCollector] = (*fresh)->unreadable.empty();
  if (*fresh == in_folder_) return;
  in_folder_ = *fresh;
  LogPlans(*in_folder_);
  Rebuild();
}

void FleetServices::RefreshRules() {
  const auto fresh = rules_file_->Refresh();
  if (fresh.ok()) {
    rules_trouble_.Recovered();
  } else {
    rules_trouble_.Failed(fresh.error().ToString());
  }
  const std::lock_guard lock(mutex_);
  success_[kRulesCollector] = fresh.ok();
  if (!fresh.ok() || *fresh == rules_) return;
  rules_ = *fresh;
  Log(LogLevel::kInfo, "rules read",
      {{"acknowledgements", std::to_string(rules_->acknowledgements.size())},
       {"jobs", std::to_string(rules_->jobs.size())}});
}

void FleetServices::SetFound(FoundPlans found) {
  const std::lock_guard lock(mutex_);
  found_ = std::move(found);
  Rebuild();
}

// With mutex_ held. Every library gets a generation of its own: poll loops keep what they worked
// out from the one they had.
void FleetServices::Rebuild() {
  auto all = std::make_shared<PlanLibrary>(*in_folder_);
  all->unreadable.insert(all->unreadable.end(), found_.unreadable.begin(), found_.unreadable.end());
  std::set<std::string> bound;
  for (const FoundPlan& found : found_.plans) {
    if (found.cluster.empty()) {
      all->plans.push_back(*found.plan);
    } else {
      bound.insert(found.cluster);
    }
  }
  Sort(all.get());
  all->generation = ++generation_;
  unreadable_ = all->unreadable.size();
  loaded_ = in_folder_->plans.size() + found_.plans.size();
  for_all_ = std::move(all);
  for_one_.clear();
  for (const std::string& cluster : bound) {
    auto own = std::make_shared<PlanLibrary>(*for_all_);
    for (const FoundPlan& found : found_.plans) {
      if (found.cluster == cluster) own->plans.push_back(*found.plan);
    }
    Sort(own.get());
    own->generation = ++generation_;
    for_one_[cluster] = std::move(own);
  }
}

std::shared_ptr<const PlanLibrary> FleetServices::PlansOf(const std::string& cluster) const {
  const std::lock_guard lock(mutex_);
  const auto own = for_one_.find(cluster);
  return own == for_one_.end() ? for_all_ : own->second;
}

bool FleetServices::plans_configured() const {
  const std::lock_guard lock(mutex_);
  return folder_ != nullptr || !found_.plans.empty() || !found_.unreadable.empty();
}

std::shared_ptr<const Rules> FleetServices::rules() const {
  const std::lock_guard lock(mutex_);
  return rules_;
}

std::unique_ptr<HistoryStore> FleetServices::HistoryOf(const std::string& cluster) const {
  return history_ == nullptr ? nullptr : NewSqliteHistoryStore(history_, cluster);
}

std::map<std::string, bool> FleetServices::collector_success() const {
  const std::lock_guard lock(mutex_);
  return success_;
}

std::size_t FleetServices::plans_loaded() const {
  const std::lock_guard lock(mutex_);
  return loaded_;
}

std::size_t FleetServices::plans_unreadable() const {
  const std::lock_guard lock(mutex_);
  return unreadable_;
}

}  // namespace fss
