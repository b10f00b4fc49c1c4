// Ids of operators inside chains, as checkpoints tell them, in the correlator's links.
#include "sidecar/analysis/checkpoint_ids.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sidecar/base/murmur3.h"
#include "tests/unit/analysis/correlator_fixture.h"

namespace fss {
namespace {

using sample::LinkOf;
using sample::Plain;
using sample::Start;
using sample::Totals;

class CheckpointIdsTest : public testing::Test {
 protected:
  void Operator(const std::string& id, const std::string& name = {}) {
    CheckpointOperator& op = metadata_.operators.emplace_back();
    op.operator_id = id;
    op.name = name;
  }

  JobLink Link(const JobSnapshot& job, const CompiledPlan& plan) {
    std::ranges::sort(metadata_.operators, {}, &CheckpointOperator::operator_id);
    CheckpointLibrary checkpoints;
    checkpoints.jobs[{job.id, job.start_ms}] = std::make_shared<CheckpointMetadata>(metadata_);
    return Correlate({job}, sample::Library({plan}), DefaultUidFormats(), "2.3.0", checkpoints)
        .at(0);
  }

  CheckpointMetadata metadata_;
};

TEST_F(CheckpointIdsTest, WithoutACheckpointOnlyHeadsHaveIds) {
  const CompiledPlan plan = Totals("t.json", 0);
  const JobSnapshot job = Start(plan, "t");
  const JobLink link = sample::LinkOne(job, sample::Library({plan}));
  EXPECT_EQ(LinkOf(job, link, 4).operator_id, OperatorIdFromUid("4_group-aggregate"));
  EXPECT_EQ(LinkOf(job, link, 2).operator_id, "") << "a Calc behind the source";
  EXPECT_EQ(LinkOf(job, link, 2).how, MatchedBy::kDescription);
}

TEST_F(CheckpointIdsTest, TheHashOfANodesUidIsItsOperators) {
  const CompiledPlan plan = Totals("t.json", 0);
  const JobSnapshot job = Start(plan, "t");
  Operator(OperatorIdFromUid("2_calc"));
  Operator(OperatorIdFromUid("4_group-aggregate"));
  Operator(OperatorIdFromUid("5_sink"));
  const JobLink link = Link(job, plan);
  EXPECT_EQ(LinkOf(job, link, 2).operator_id, OperatorIdFromUid("2_calc"));
  EXPECT_EQ(LinkOf(job, link, 2).how, MatchedBy::kUid);
  EXPECT_EQ(LinkOf(job, link, 2).node_id, 2);
}

TEST_F(CheckpointIdsTest, OfASinksOperatorsEachHasItsOwn) {
  CompiledPlan plan = Totals("t.json", 0);
  JobSnapshot job = Start(plan, "t");
  // As Flink chains them: the enforcer before the writer, both of the sink's node.
  std::vector<ChainOperator>& chain = job.graph.vertices.back().chain;
  ASSERT_EQ(chain.back().node_id, 5);
  ChainOperator enforcer = chain.back();
  enforcer.name = "ConstraintEnforcer";
  enforcer.description = "ConstraintEnforcer(NotNullEnforcer(fields=[a]))";
  chain.insert(chain.end() - 1, enforcer);
  Operator(OperatorIdFromUid("5_sink"));
  Operator(OperatorIdFromUid("5_constraint-validator"));
  const JobLink link = Link(job, plan);
  std::vector<std::string> ids;
  for (const OperatorLink& op : link.links) {
    if (op.node_id == 5) ids.push_back(op.operator_id);
  }
  EXPECT_THAT(ids, testing::ElementsAre(OperatorIdFromUid("5_constraint-validator"),
                                        OperatorIdFromUid("5_sink")));
}

TEST_F(CheckpointIdsTest, AFileWriterIsKnownByWhatFeedsIt) {
  const CompiledPlan plan = Totals("t.json", 0);
  JobSnapshot job = Start(plan, "t");
  // As Flink 1.20 runs a filesystem sink: neither of its operators carries the node's number.
  std::vector<ChainOperator>& chain = job.graph.vertices.back().chain;
  ASSERT_EQ(chain.size(), 2U);
  chain[1].node_id.reset();
  chain[1].name = chain[1].description = "StreamingFileWriter";
  Operator(OperatorIdFromUid("5_streaming-writer"));
  Operator(OperatorIdFromUid("5_discarding-sink"));
  const JobLink link = Link(job, plan);
  EXPECT_EQ(link.links.back().operator_id, OperatorIdFromUid("5_streaming-writer"));
  EXPECT_EQ(link.links.back().node_id, 5);
  EXPECT_EQ(link.links.back().how, MatchedBy::kUid);
}

TEST_F(CheckpointIdsTest, ANameIsProofWithoutAPlanUnlessTwoHaveIt) {
  const JobSnapshot job = Start(Totals("t.json", 0), "t", Plain(10));
  const std::string calc(32, 'c');
  Operator(calc, "Calc[12]");
  JobLink link = Link(job, Totals("other.json", 0, 50, "elsewhere"));
  ASSERT_EQ(link.outcome, JobLink::Outcome::kNoPlan);
  EXPECT_EQ(LinkOf(job, link, 12).operator_id, calc);
  Operator(std::string(32, 'd'), "Calc[12]");
  link = Link(job, Totals("other.json", 0, 50, "elsewhere"));
  EXPECT_EQ(LinkOf(job, link, 12).operator_id, "");
}

TEST_F(CheckpointIdsTest, AnIdOfAnotherNodeProvesNothing) {
  const CompiledPlan plan = Totals("t.json", 0);
  const JobSnapshot job = Start(plan, "t");
  Operator(OperatorIdFromUid("77_calc"), "Calc[2]");
  const JobLink link = Link(job, plan);
  EXPECT_EQ(LinkOf(job, link, 2).operator_id, OperatorIdFromUid("77_calc"));
  EXPECT_EQ(LinkOf(job, link, 2).how, MatchedBy::kDescription);
}

}  // namespace
}  // namespace fss
