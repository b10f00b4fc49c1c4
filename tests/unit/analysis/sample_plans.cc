#include "tests/unit/analysis/sample_plans.h"

#include <map>

#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/flink_duration.h"
#include "sidecar/base/murmur3.h"

namespace fss::sample {

PlanBuilder::PlanBuilder(std::string file, std::int64_t first_id, std::string version)
    : next_id_(first_id) {
  plan_.file = std::move(file);
  plan_.flink_version = std::move(version);
}

std::int64_t PlanBuilder::Add(const std::string& kind, const std::string& description,
                              const std::vector<std::int64_t>& inputs,
                              const std::vector<std::pair<std::string, std::int64_t>>& state) {
  PlanNode node;
  node.id = next_id_++;
  node.kind = kind;
  node.type = "stream-exec-" + kind + "_1";
  node.version = 1;
  node.description = description;
  node.declares_state = !state.empty();
  for (const auto& [name, ttl] : state) {
    node.state.push_back(
        {static_cast<int>(node.state.size()), name, FormatFlinkDuration(ttl), ttl});
  }
  plan_.nodes.push_back(node);
  for (std::int64_t input : inputs) plan_.edges.push_back({input, node.id});
  return node.id;
}

std::int64_t PlanBuilder::Source(const std::string& table, const std::string& fields) {
  return Add("table-source-scan", "TableSourceScan(table=[[default_catalog, default_database, " +
                                      table + "]], fields=[" + fields + "])");
}

std::int64_t PlanBuilder::Exchange(std::int64_t input, const std::string& key) {
  return Add("exchange", "Exchange(distribution=[hash[" + key + "]])", {input});
}

std::int64_t PlanBuilder::Calc(std::int64_t input, const std::string& select) {
  return Add("calc", "Calc(select=[" + select + "])", {input});
}

std::int64_t PlanBuilder::Sink(std::int64_t input, const std::string& table) {
  return Add("sink", "Sink(table=[default_catalog.default_database." + table + "], fields=[a, b])",
             {input});
}

std::int64_t PlanBuilder::Join(std::int64_t left, std::int64_t right, const std::string& where,
                               std::int64_t left_ttl, std::int64_t right_ttl,
                               const std::string& type) {
  const std::int64_t left_exchange = Exchange(left, where);
  const std::int64_t right_exchange = Exchange(right, where);
  return Add("join", "Join(joinType=[" + type + "], where=[(" + where + ")], select=[a, b])",
             {left_exchange, right_exchange}, {{"leftState", left_ttl}, {"rightState", right_ttl}});
}

std::int64_t PlanBuilder::GroupBy(std::int64_t input, const std::string& key, std::int64_t ttl) {
  return Add("group-aggregate",
             "GroupAggregate(groupBy=[" + key + "], select=[" + key + ", SUM(amount) AS EXPR$1])",
             {Exchange(input, key)}, {{"groupAggregateState", ttl}});
}

PlanNode* PlanBuilder::Node(std::int64_t id) {
  for (PlanNode& node : plan_.nodes) {
    if (node.id == id) return &node;
  }
  return nullptr;
}

CompiledPlan Totals(const std::string& file, std::int64_t ttl, std::int64_t first_id,
                    const std::string& sink) {
  PlanBuilder plan(file, first_id);
  const auto orders = plan.Source("orders", "order_id, user_id, amount");
  const auto calc = plan.Calc(orders, "user_id, amount");
  plan.Sink(plan.GroupBy(calc, "user_id", ttl), sink);
  return plan.Build();
}

CompiledPlan Cascade(const std::string& file, const CascadeTtls& ttls, std::int64_t first_id) {
  PlanBuilder plan(file, first_id);
  const auto orders = plan.Source("orders", "order_id, user_id, amount, ts");
  const auto stamped =
      plan.Add("watermark-assigner", "WatermarkAssigner(rowtime=[ts], watermark=[ts])", {orders});
  const auto payments = plan.Source("payments", "pay_id, order_id");
  const auto first =
      plan.Join(stamped, payments, "order_id = order_id0", ttls.first_left, ttls.first_right);

  const auto calc = plan.Calc(first, "user_id, amount");
  const auto users = plan.Source("users", "user_id, region");
  const auto second =
      plan.Join(calc, users, "user_id = user_id0", ttls.second_left, ttls.second_right);
  plan.Sink(second, "paid");
  return plan.Build();
}

namespace {

std::string Replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

// As Flink gives it to an operator of a compiled plan, or to one of a plain INSERT.
std::string VertexId(const PlanNode& node, std::string_view transformation,
                     const RunOptions& options) {
  std::string uid = options.uid_format;
  uid = Replaced(uid, "<id>", std::to_string(node.id));
  uid = Replaced(uid, "<type>", "stream-exec-" + node.kind);
  uid = Replaced(uid, "<version>", std::to_string(node.version));
  uid = Replaced(uid, "<transformation>", std::string(transformation));
  if (!node.uid.empty()) uid = node.uid;
  return OperatorIdFromUid(options.uids ? uid : "graph hash of " + uid);
}

ChainOperator OperatorOf(const PlanNode& node, const RunOptions& options) {
  ChainOperator op;
  const std::int64_t id = node.id + options.id_shift;
  if (options.simplified) op.node_id = id;
  op.name = node.description.substr(0, node.description.find('('));
  op.description = node.description;
  if (node.kind == "sink") {
    const std::string table(TableOfDescription(node.description));
    op.name = (options.simplified ? table : node.description) + ": Writer";
    op.description = options.simplified ? table + "[" + std::to_string(id) + "]: Writer" : op.name;
  }
  return op;
}

}  // namespace

JobSnapshot Start(const CompiledPlan& plan, const std::string& name, const RunOptions& options) {
  JobSnapshot job;
  job.id = OperatorIdFromUid("job " + name);
  job.name = name;
  job.state = "RUNNING";
  job.start_ms = 1'000'000;
  const PlanGraph graph(plan);
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> places;  // node → vertex, chain
  const auto inputs = VisibleInputs(graph);
  for (std::size_t n = 0; n < graph.size(); ++n) {
    const PlanNode& node = graph.node(n);
    if (IsInvisible(node)) continue;
    const bool chained = inputs[n].size() == 1 && graph.Inputs(n)[0] == inputs[n][0];
    const OperatorKind* row = FindOperatorKind(node.kind);
    const bool materializes = node.kind == "sink" && !node.state.empty();
    ChainOperator op = OperatorOf(node, options);
    if (chained && !materializes) {
      const auto [vertex, parent] = places.at(inputs[n][0]);
      op.parent = parent;
      job.graph.vertices[vertex].chain.push_back(op);
      places[n] = {vertex, job.graph.vertices[vertex].chain.size() - 1};
      continue;
    }
    JobVertex vertex;
    std::string_view transformation = node.kind;
    if (row != nullptr && !row->transformations.empty()) transformation = row->transformations[0];
    if (node.kind == "sink" && !materializes) transformation = "sink";
    vertex.id = VertexId(node, transformation, options);
    vertex.parallelism = 1;
    for (std::size_t input : inputs[n]) {
      vertex.inputs.push_back({job.graph.vertices[places.at(input).first].id, "HASH"});
    }
    if (materializes) {
      ChainOperator materializer = op;
      materializer.name = "SinkMaterializer";
      materializer.description = "SinkMaterializer(pk=[a])";
      vertex.chain.push_back(materializer);
      op.parent = 0;
    }
    vertex.chain.push_back(op);
    job.graph.vertices.push_back(vertex);
    places[n] = {job.graph.vertices.size() - 1, vertex.chain.size() - 1};
  }
  return job;
}

}  // namespace fss::sample
