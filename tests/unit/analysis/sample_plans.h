// Plans and running jobs for the tests of this room, small and like Flink's own.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sidecar/base/millis.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"

namespace fss::sample {

// Builds a plan node by node; ids count up from `first_id`, as in one session of Flink.
class PlanBuilder {
 public:
  explicit PlanBuilder(std::string file, std::int64_t first_id = 1, std::string version = "2.3");

  // Adds a node fed by `inputs` and returns its id.
  std::int64_t Add(const std::string& kind, const std::string& description,
                   const std::vector<std::int64_t>& inputs = {},
                   const std::vector<std::pair<std::string, std::int64_t>>& state = {});
  std::int64_t Source(const std::string& table, const std::string& fields);
  std::int64_t Exchange(std::int64_t input, const std::string& key);
  std::int64_t Calc(std::int64_t input, const std::string& select);
  std::int64_t Sink(std::int64_t input, const std::string& table);
  // With its two exchanges; keys are "left = right".
  std::int64_t Join(std::int64_t left, std::int64_t right, const std::string& where,
                    std::int64_t left_ttl, std::int64_t right_ttl,
                    const std::string& type = "InnerJoin");
  // With its exchange.
  std::int64_t GroupBy(std::int64_t input, const std::string& key, std::int64_t ttl);

  PlanNode* Node(std::int64_t id);
  CompiledPlan Build() const { return plan_; }

 private:
  CompiledPlan plan_;
  std::int64_t next_id_;
};

// user_id, SUM(amount) of orders into `sink`: nodes 1 source, 2 calc, 3 exchange, 4 GROUP BY, 5
// sink (from `first_id` on).
CompiledPlan Totals(const std::string& file, std::int64_t ttl, std::int64_t first_id = 1,
                    const std::string& sink = "totals");

// orders ⋈ payments ⋈ users; TTLs of the first join's and the second join's sides. The joins are
// nodes 6 and 11 (from `first_id` 1 on).
struct CascadeTtls {
  std::int64_t first_left = kMillisPerDay;
  std::int64_t first_right = 2 * kMillisPerHour;
  std::int64_t second_left = 30 * kMillisPerMinute;
  std::int64_t second_right = 7 * kMillisPerDay;
};
CompiledPlan Cascade(const std::string& file, const CascadeTtls& ttls = {},
                     std::int64_t first_id = 1);

// The job that Flink makes of a plan: chains end at exchanges.
struct RunOptions {
  bool uids = true;           // false: a plain INSERT, vertex ids are hashes of the graph
  std::int64_t id_shift = 0;  // a plain INSERT numbers its nodes anew
  bool simplified = true;     // false: table.optimizer.simplify-operator-name-enabled=false
  std::string uid_format = "<id>_<transformation>";
};
JobSnapshot Start(const CompiledPlan& plan, const std::string& name,
                  const RunOptions& options = {});

}  // namespace fss::sample
