#include "collectors/plan_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "collectors/bounded_file.h"
#include "collectors/plan_listing.h"
#include "collectors/plan_reader.h"
#include "sidecar/base/murmur3.h"

namespace fss {
namespace {

// All plans together. A folder of 3,000 large plans has 250 MB; more is a wrong --plan_dir.
constexpr std::int64_t kMaxTotalBytes = std::int64_t{256} << 20U;

// Equal for equal bytes, and, but for forgeries, for them alone.
std::string ContentKey(const std::string& bytes) {
  return OperatorIdFromUid(bytes) + "/" + std::to_string(bytes.size());
}

using PlansByContent = std::unordered_map<std::string, const CompiledPlan*>;

}  // namespace

// What is known of one file, by the name to show.
struct PlanFolder::Seen {
  std::string path;                      // to open it; empty when it was not read
  std::optional<FileIdentity> identity;  // absent: read it again next time
  std::string content;                   // ContentKey; empty when its bytes could not be read
  std::string error;                     // why it is no plan; empty for a plan

  bool ShowsAs(const Seen& other) const { return content == other.content && error == other.error; }
};

// The plans of one Refresh: what the last library held, and what was parsed since.
class PlanFolder::Plans {
 public:
  explicit Plans(const PlanFolder& folder) {
    std::unordered_map<std::string_view, const CompiledPlan*> by_file;
    for (const CompiledPlan& plan : folder.library_->plans) by_file[plan.file] = &plan;
    for (const auto& [name, seen] : folder.seen_) {
      const auto plan = by_file.find(name);
      if (plan != by_file.end()) known_.emplace(seen.content, plan->second);
    }
  }

  // Parses `bytes` unless they are known; the error that says why they are no plan, or "".
  std::string Learn(const std::string& key, const std::string& bytes) {
    if (known_.count(key) > 0) return "";
    Result<CompiledPlan> plan = ReadPlan(bytes, "");
    if (!plan) return plan.error().message;
    known_[key] = &fresh_.emplace(key, *std::move(plan)).first->second;
    return "";
  }

  const CompiledPlan* Find(const std::string& key) const {
    const auto plan = known_.find(key);
    return plan == known_.end() ? nullptr : plan->second;
  }

 private:
  PlansByContent known_;
  std::unordered_map<std::string, CompiledPlan> fresh_;
};

PlanFolder::PlanFolder(std::string path)
    : path_(std::move(path)), library_(std::make_shared<const PlanLibrary>()) {}

PlanFolder::~PlanFolder() = default;

PlanFolder::Seen PlanFolder::Read(const std::string& path, Plans* plans) {
  Seen seen;
  seen.path = path;
  const Result<FileContent> content = ReadBoundedFile(path, kMaxPlanBytes, /*regular_only=*/true);
  if (!content) {
    seen.error = content.error().message;
    return seen;
  }
  // A file that is being written now is looked at again even if its time does not move on.
  if (content->stable) seen.identity = content->identity;
  seen.content = ContentKey(content->bytes);
  seen.error = plans->Learn(seen.content, content->bytes);
  return seen;
}

Result<std::shared_ptr<const PlanLibrary>> PlanFolder::Refresh() {
  Result<PlanListing> listing = ListPlans(path_);
  if (!listing) return listing.error();
  Plans plans(*this);
  std::map<std::string, Seen> now;
  std::int64_t total = 0;
  for (const auto& [name, file] : listing->files) {
    // A file beyond the limit of one plan is not read, and takes nothing from the others.
    if (file.identity.size <= static_cast<std::int64_t>(kMaxPlanBytes)) total += file.identity.size;
    const auto before = seen_.find(name);
    if (total > kMaxTotalBytes) {
      now[name].error = "left out: the plans together have more than " +
                        std::to_string(kMaxTotalBytes) + " bytes";
    } else if (before != seen_.end() && before->second.identity == file.identity) {
      now[name] = before->second;
    } else {
      now[name] = Read(file.path, &plans);
    }
  }
  for (const auto& [name, error] : listing->errors) now[name].error = error;
  Publish(plans, std::move(now));
  return library_;
}

Result<std::string> PlanFolder::Bytes(const std::string& name) const {
  const auto seen = seen_.find(name);
  if (seen == seen_.end()) return Error{ErrorCode::kNotFound, "no such plan", name};
  Result<FileContent> content =
      ReadBoundedFile(seen->second.path, kMaxPlanBytes, /*regular_only=*/true);
  if (!content.ok()) return Error{content.error().code, content.error().message, name};
  if (ContentKey(content->bytes) != seen->second.content) {
    return Error{ErrorCode::kNotFound, "has changed", name};
  }
  return std::move(content->bytes);
}

void PlanFolder::Publish(const Plans& plans, std::map<std::string, Seen> now) {
  const bool same = std::equal(now.begin(), now.end(), seen_.begin(), seen_.end(),
                               [](const auto& a, const auto& b) {
                                 return a.first == b.first && a.second.ShowsAs(b.second);
                               });
  if (!same) {
    auto library = std::make_shared<PlanLibrary>();
    library->generation = library_->generation + 1;
    std::unordered_set<std::string_view> shown;
    for (const auto& [name, seen] : now) {
      const CompiledPlan* plan = seen.error.empty() ? plans.Find(seen.content) : nullptr;
      if (plan == nullptr) {
        library->unreadable.push_back({name, seen.error});
      } else if (shown.insert(seen.content).second) {
        library->plans.push_back(*plan);
        library->plans.back().file = name;
      }
    }
    library_ = std::move(library);
  }
  seen_ = std::move(now);
}

}  // namespace fss
