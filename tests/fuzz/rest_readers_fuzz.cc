// Feeds bytes to the readers of REST answers and of recorded series: whatever a JobManager, a proxy
// or an attacker sends, each returns, and what it calls a number is one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "collectors/rest/chain_description.h"
#include "collectors/rest/checkpoint_config_reader.h"
#include "collectors/rest/checkpoint_details_reader.h"
#include "collectors/rest/checkpoints_reader.h"
#include "collectors/rest/cluster_config_reader.h"
#include "collectors/rest/job_plan_reader.h"
#include "collectors/rest/jobs_overview_reader.h"
#include "collectors/rest/state_metrics_reader.h"
#include "collectors/rest/subtask_sizes_reader.h"
#include "collectors/rest/task_manager_reader.h"
#include "collectors/rest/task_managers_reader.h"
#include "collectors/series_reader.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckChain(const std::vector<fss::ChainOperator>& chain) {
  Require(!chain.empty() && !chain.front().parent);
  for (std::size_t i = 1; i < chain.size(); ++i) {
    Require(!chain[i].parent || *chain[i].parent < i);
    Require(chain[i].Label().size() >= chain[i].name.size());
  }
}

void CheckSizes(const fss::CompletedCheckpoint& checkpoint) {
  Require(checkpoint.state_size >= 0);
  Require(!checkpoint.checkpointed_size || *checkpoint.checkpointed_size >= 0);
  for (const auto& [vertex, size] : checkpoint.vertices) {
    Require(size.state_size >= 0);
    Require(!size.checkpointed_size || *size.checkpointed_size >= 0);
  }
}

void CheckLiveStates(const std::vector<fss::LiveState>& states) {
  for (const fss::LiveState& state : states) {
    Require(!state.operator_name.empty() && !state.state_name.empty());
    Require(state.live_bytes || state.keys);
    Require(!state.live_bytes || *state.live_bytes >= 0);
    Require(!state.keys || *state.keys >= 0);
  }
}

void CheckTaskManager(const fss::TaskManagerSnapshot& read) {
  for (const auto& bytes : {read.heap_used, read.heap_max}) Require(!bytes || *bytes > 0);
  for (const auto& bytes : {read.task_heap, read.managed}) Require(!bytes || *bytes >= 0);
  for (const auto& [job, slots] : read.slots_by_job) Require(job.size() == 32 && slots > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string body(reinterpret_cast<const char*>(data), size);
  const auto answer = [&] { return fss::RestAnswer{200, "application/json", body}; };

  if (const auto graph = fss::ReadJobPlan(answer()); graph.ok()) {
    for (const fss::JobVertex& vertex : graph->vertices) CheckChain(vertex.chain);
  }
  CheckChain(fss::ParseChainDescription(body, /*trust_suffix_ids=*/true));
  CheckChain(fss::ParseChainDescription(body, /*trust_suffix_ids=*/false));
  if (const auto jobs = fss::ReadJobsOverview(answer()); jobs.ok()) {
    for (const fss::JobSnapshot& job : *jobs) Require(job.id.size() == 32);
  }
  fss::CompletedCheckpoint row;
  if (const auto checkpoints = fss::ReadCheckpoints(answer()); checkpoints.ok()) {
    Require(checkpoints->failed_since_completed >= 0);
    for (const fss::CompletedCheckpoint& past : checkpoints->history) CheckSizes(past);
    if (checkpoints->latest) row = *checkpoints->latest;
  }
  if (const auto details = fss::ReadCheckpointDetails(answer(), row); details.ok()) {
    Require(details->id == row.id);
    CheckSizes(*details);
  }
  if (const auto ids = fss::ReadStateMetricIds(answer()); ids.ok()) {
    Require(ids->size() <= 1000);
    if (const auto states = fss::ReadLiveStates(answer(), *ids); states.ok()) {
      CheckLiveStates(*states);
    }
  }
  if (const auto sizes = fss::ReadSubtaskSizes(answer(), 17, 121707); sizes.ok()) {
    std::int64_t sum = 0;
    for (const std::int64_t bytes : sizes->bytes) sum += bytes;
    Require(sum == 121707);
  }
  if (const auto line = fss::ReadSeriesLine(body); line.ok()) {
    Require(line->checkpoint.trigger_ms >= 0 && (!line->start_ms || *line->start_ms >= 0));
    CheckSizes(line->checkpoint);
    for (const auto& [vertex, sample] : line->live) {
      Require(!sample.states.empty());
      CheckLiveStates(sample.states);
    }
  }
  std::string id = "127.0.0.1:43447-231f56";
  if (const auto ids = fss::ReadTaskManagerIds(answer()); ids.ok() && !ids->empty()) {
    Require(ids->size() <= 5000);
    id = ids->front();
  }
  if (const auto read = fss::ReadTaskManager(answer(), id); read.ok()) CheckTaskManager(*read);
  static_cast<void>(fss::ReadCheckpointConfig(answer()).ok());
  static_cast<void>(fss::ReadFlinkVersion(answer()).ok());
  return 0;
}
