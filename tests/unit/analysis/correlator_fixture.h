// What the correlator's tests share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sidecar/analysis/correlator.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss::sample {

inline PlanLibrary Library(std::vector<CompiledPlan> plans) {
  PlanLibrary library;
  library.plans = std::move(plans);
  return library;
}

inline JobLink LinkOne(const JobSnapshot& job, const PlanLibrary& library,
                       const std::string& version = "2.3.0") {
  const auto links = Correlate({job}, library, DefaultUidFormats(), version);
  EXPECT_THAT(links, testing::SizeIs(1));
  return links.at(0);
}

// The link of the operator that carries this id in the running job.
inline OperatorLink LinkOf(const JobSnapshot& job, const JobLink& link, std::int64_t running_id) {
  for (const OperatorLink& op : link.links) {
    const ChainOperator& chained = job.graph.FindVertex(op.vertex_id)->chain[op.chain_index];
    if (chained.node_id == running_id) return op;
  }
  ADD_FAILURE() << "no operator " << running_id;
  return {};
}

inline RunOptions Plain(std::int64_t shift) {
  RunOptions options;
  options.uids = false;
  options.id_shift = shift;
  return options;
}

}  // namespace fss::sample
