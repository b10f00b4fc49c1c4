#include "sidecar/analysis/operator_reports.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>

#include "sidecar/analysis/live_entries.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"

namespace fss {
namespace {

// A family of entries, one per input ("input-state-0", …), ends so.
constexpr char kFamilyEnd = '-';
// The most inputs that a job graph is believed to give one operator.
constexpr std::size_t kMaxInputs = 64;

// Vertices so that each stands behind those that feed it; beside one another by node id, which
// counts up from the sources. A loop's vertices come last, in the graph's order.
std::vector<std::size_t> SourcesFirst(const JobGraph& graph) {
  const std::size_t count = graph.vertices.size();
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t v = 0; v < count; ++v) place.emplace(graph.vertices[v].id, v);
  std::vector<std::vector<std::size_t>> feeds(count);
  std::vector<std::size_t> waiting(count, 0);
  for (std::size_t v = 0; v < count; ++v) {
    for (const VertexInput& input : graph.vertices[v].inputs) {
      const auto found = place.find(input.vertex_id);
      if (found == place.end()) continue;
      feeds[found->second].push_back(v);
      ++waiting[v];
    }
  }
  using Next = std::tuple<std::int64_t, std::size_t>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
  const auto push = [&](std::size_t v) {
    const auto& chain = graph.vertices[v].chain;
    constexpr std::int64_t kNoId = std::numeric_limits<std::int64_t>::max();
    ready.emplace(chain.empty() ? kNoId : chain.front().node_id.value_or(kNoId), v);
  };
  for (std::size_t v = 0; v < count; ++v) {
    if (waiting[v] == 0) push(v);
  }
  std::vector<std::size_t> order;
  std::vector<bool> done(count, false);
  while (!ready.empty()) {
    const std::size_t v = std::get<1>(ready.top());
    ready.pop();
    order.push_back(v);
    done[v] = true;
    for (std::size_t next : feeds[v]) {
      if (--waiting[next] == 0) push(next);
    }
  }
  for (std::size_t v = 0; v < count; ++v) {
    if (!done[v]) order.push_back(v);
  }
  return order;
}

class ReportMaker {
 public:
  ReportMaker(const JobSnapshot& job, const JobLink& link, const CompiledPlan* plan,
              KindNames* names)
      : job_(job), links_(link.links), names_(names) {
    if (plan != nullptr) holders_.resize(graph_.emplace(*plan).size());
    std::size_t first = 0;
    first_link_.reserve(job.graph.vertices.size());
    for (const JobVertex& vertex : job.graph.vertices) {
      first_link_.push_back(first);
      first += vertex.chain.size();
    }
  }

  OperatorReports Make() {
    const std::vector<std::size_t> order = SourcesFirst(job_.graph);
    std::size_t operators = 0;
    for (const JobVertex& vertex : job_.graph.vertices) operators += vertex.chain.size();
    reports_.operators.reserve(operators);
    reports_.places.by_node.reserve(holders_.size());
    if (graph_) {
      for (std::size_t v : order) NoteHolders(v);
    }
    for (std::size_t v : order) AddVertex(v);
    return std::move(reports_);
  }

 private:
  // Links stand in the graph's order; none is there for a job that was not correlated.
  const OperatorLink* LinkOf(std::size_t vertex, std::size_t chain) const {
    const std::size_t place = first_link_[vertex] + chain;
    if (place >= links_.size() || links_[place].chain_index != chain) return nullptr;
    return links_[place].vertex_id == job_.graph.vertices[vertex].id ? &links_[place] : nullptr;
  }

  const PlanNode* NodeOf(const OperatorLink* link) const {
    if (!graph_ || link == nullptr || !link->node_id) return nullptr;
    const auto index = graph_->IndexOf(*link->node_id);
    return index ? &graph_->node(*index) : nullptr;
  }

  // Of several operators of one node, the one that holds its state: called as its kind is.
  void NoteHolders(std::size_t v) {
    const JobVertex& vertex = job_.graph.vertices[v];
    for (std::size_t c = 0; c < vertex.chain.size(); ++c) {
      const PlanNode* node = NodeOf(LinkOf(v, c));
      if (node == nullptr) continue;
      const ChainOperator& op = vertex.chain[c];
      const bool keyed = KeepsKeyedState(op, names_->Find(op.name));
      Holder& held = holders_[*graph_->IndexOf(node->id)];
      if (held.op == nullptr || (keyed && !held.keyed)) held = Holder{&op, keyed};
    }
  }

  void AddVertex(std::size_t v) {
    const JobVertex& vertex = job_.graph.vertices[v];
    const std::size_t first = reports_.operators.size();
    std::optional<std::size_t> keyed;
    for (std::size_t c = 0; c < vertex.chain.size(); ++c) {
      const bool keeps = AddOperator(v, c);
      if (keeps && !keyed) keyed = first + c;
    }
    if (!vertex.chain.empty()) reports_.operators[keyed.value_or(first)].carries_size = true;
  }

  // Returns whether the operator keeps keyed state.
  bool AddOperator(std::size_t v, std::size_t chain) {
    const JobVertex& vertex = job_.graph.vertices[v];
    const ChainOperator& op = vertex.chain[chain];
    const OperatorLink* link = LinkOf(v, chain);
    OperatorReport& report = reports_.operators.emplace_back();
    report.vertex_id = vertex.id;
    report.label = op.Label();
    if (link != nullptr) {
      report.matched_by = link->how;
      report.heads_chain = link->operator_id == vertex.id;
      if (!report.heads_chain) report.operator_id = link->operator_id;
    }
    const PlanNode* node = NodeOf(link);
    if (node == nullptr) return DescribeByName(vertex, chain, &report);
    report.node_id = node->id;
    const Holder& held = holders_[*graph_->IndexOf(node->id)];
    // Flink 1.20 writes sinkMaterializeState into plans of jobs that then run no materializer.
    const bool holder = held.op == &op && (held.keyed || !IsSinkKind(node->kind));
    if (holder) reports_.places.by_node.emplace(node->id, reports_.operators.size() - 1);
    if (op.node_id && *op.node_id != node->id)
      reports_.places.running_id.emplace(node->id, *op.node_id);
    if (!holder && !node->state.empty()) {
      // Beside the operator that holds the node's state: a sink's writer, its committer.
      const OperatorKind* row = names_->Find(op.name);
      report.kind = row != nullptr ? std::string(row->kind) : node->kind;
      if (row != nullptr) report.cleanup = row->cleanup;
      return false;
    }
    report.kind = node->kind;
    report.cleanup = CleanupOf(*node);
    const bool keyed = holder && KeepsKeyedState(*node);
    if (keyed) report.state = EntriesOf(*node);
    return keyed;
  }

  bool DescribeByName(const JobVertex& vertex, std::size_t chain, OperatorReport* report) const {
    const ChainOperator& op = vertex.chain[chain];
    const OperatorKind* row = names_->Find(op.name);
    if (row == nullptr) {
      report->kind = "unknown";
      return false;
    }
    report->kind = row->kind;
    report->cleanup = HasOwnName(op, *row) ? CleanupOf(NodeOfOperator(op, *row)) : row->cleanup;
    if (!KeepsKeyedState(op, row)) return false;
    report->state = NamedEntries(*row, chain == 0 ? vertex.inputs.size() : 0);
    return true;
  }

  std::vector<EntryReport> EntriesOf(const PlanNode& node) const {
    std::vector<EntryReport> entries;
    entries.reserve(node.state.size());
    for (const StateEntry& entry : node.state) entries.push_back({entry.name, entry.ttl_ms});
    const OperatorKind* row = FindOperatorKind(node.kind);
    // Taken out of the plan by hand, or a plan of Flink 1.16: the entries are there all the same.
    if (entries.empty() && row != nullptr) {
      return NamedEntries(*row, graph_->Inputs(*graph_->IndexOf(node.id)).size());
    }
    return entries;
  }

  // The kind's entries, of which no TTL is known.
  static std::vector<EntryReport> NamedEntries(const OperatorKind& row, std::size_t inputs) {
    std::vector<EntryReport> entries;
    for (std::string_view name : row.entries) {
      if (!name.ends_with(kFamilyEnd)) {
        entries.push_back({std::string(name), std::nullopt});
        continue;
      }
      for (std::size_t i = 0; i < std::min(inputs, kMaxInputs); ++i) {
        entries.push_back({std::string(name) + std::to_string(i), std::nullopt});
      }
    }
    return entries;
  }

  struct Holder {
    const ChainOperator* op = nullptr;
    bool keyed = false;
  };

  const JobSnapshot& job_;
  const std::vector<OperatorLink>& links_;
  KindNames* names_;
  std::optional<PlanGraph> graph_;
  std::vector<std::size_t> first_link_;  // per vertex
  std::vector<Holder> holders_;          // as the plan's nodes
  OperatorReports reports_;
};

}  // namespace

OperatorReports MakeOperatorReports(const JobSnapshot& job, const JobLink& link,
                                    const CompiledPlan* plan, KindNames* names) {
  return ReportMaker(job, link, plan, names).Make();
}

std::vector<OperatorReport> SameOperators(const std::vector<OperatorReport>& before) {
  std::vector<OperatorReport> operators;
  operators.reserve(before.size());
  for (const OperatorReport& old : before) {
    OperatorReport& op = operators.emplace_back();
    static_cast<OperatorIdentity&>(op) = old;
    op.state.reserve(old.state.size());
    for (const EntryReport& entry : old.state) op.state.push_back({entry.name, entry.ttl_ms});
  }
  return operators;
}

void FillSizes(const JobSnapshot& job, std::vector<OperatorReport>* operators) {
  if (!job.latest) return;
  for (OperatorReport& op : *operators) {
    if (!op.carries_size) continue;
    const auto size = job.latest->vertices.find(op.vertex_id);
    if (size == job.latest->vertices.end()) continue;
    op.size_bytes = size->second.state_size;
    op.checkpointed_bytes = size->second.checkpointed_size;
    const auto subtasks = job.subtask_sizes.find(op.vertex_id);
    if (subtasks == job.subtask_sizes.end()) continue;
    op.subtask_bytes = subtasks->second.bytes;
    std::ranges::sort(op.subtask_bytes, std::greater<>());
  }
}

void FillFromCheckpoint(const CheckpointMetadata& checkpoint, JobReport* job) {
  job->checkpoint_read_id = checkpoint.checkpoint_id;
  for (OperatorReport& op : job->operators) {
    const CheckpointOperator* own = checkpoint.FindOperator(op.OwnId());
    if (own == nullptr) continue;
    op.operator_bytes = own->size_bytes;
    for (EntryReport& entry : op.state) {
      entry.ttl_enabled = TtlOfEntry(*own, entry.name, op.state.size());
    }
  }
}

}  // namespace fss
