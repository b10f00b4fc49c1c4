#include "collectors/lab/lab_folder.h"

#include <string_view>
#include <utility>

#include "collectors/bounded_file.h"
#include "collectors/lab/answer_reader.h"
#include "collectors/lab/orders_reader.h"
#include "collectors/lab/tableau_reader.h"
#include "collectors/plan_reader.h"

namespace fss {
namespace {

// The lab's largest has 15 KB.
constexpr std::size_t kMaxLabPlanBytes = 8U << 20U;

std::string PathOf(const std::string& folder, std::string_view file) {
  std::string path = folder;
  if (!path.ends_with('/')) path += '/';
  return path.append(file);
}

// What `read` makes of the file's bytes; an error of either with the path.
template <typename Read>
auto ReadFileAs(const std::string& folder, std::string_view file, std::size_t limit, Read read)
    -> decltype(read(std::string())) {
  const std::string path = PathOf(folder, file);
  Result<FileContent> content = ReadBoundedFile(path, limit, /*regular_only=*/true);
  if (!content.ok()) return Error{content.error().code, content.error().message, path};
  auto value = read(std::move(content->bytes));
  if (!value.ok()) return Error{value.error().code, value.error().message, path};
  return value;
}

Result<CompiledPlan> PlanOf(const std::string& folder, std::string_view file) {
  return ReadFileAs(folder, file, kMaxLabPlanBytes,
                    [&](const std::string& bytes) { return ReadPlan(bytes, std::string(file)); });
}

Result<TableauResult> TableauOf(const std::string& folder, std::string_view file) {
  return ReadFileAs(folder, file, kMaxTableauBytes,
                    [](const std::string& bytes) { return ReadTableau(bytes); });
}

}  // namespace

LabFolder ReadLabFolder(const std::string& folder) {
  return {PlanOf(folder, kCalcPlanFile),
          PlanOf(folder, kAggPlanFile),
          PlanOf(folder, kAggTtlPlanFile),
          PlanOf(folder, kJoinHintPlanFile),
          PlanOf(folder, kCascadePlanFile),
          PlanOf(folder, kWindowPlanFile),
          TableauOf(folder, kWindowOutFile),
          TableauOf(folder, kRocksOutFile),
          ReadFileAs(folder, kRocksJobFile, kMaxLabJsonBytes, ReadLabJob),
          ReadFileAs(folder, kRocksCheckpointsFile, kMaxLabJsonBytes, ReadLabBackend),
          ReadFileAs(folder, kLabReportFile, kMaxLabJsonBytes, ReadLabReport)};
}

Result<std::vector<LabOrder>> ReadLabOrders(const std::string& folder) {
  return ReadFileAs(folder, kOrdersFile, kMaxOrdersBytes,
                    [](const std::string& bytes) { return ReadOrders(bytes); });
}

}  // namespace fss
