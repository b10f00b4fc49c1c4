// A vertex' description in /jobs/:jid/plan, taken apart into the operators of its chain.
//
// Flink (StreamingJobGraphGenerator, JsonPlanGenerator; 1.15 to 2.3) writes a tree, a line each:
//
//   [10]:GroupAggregate(…)<br/>+- [11]:ConstraintEnforcer[…]<br/>   +- out1[11]: Writer<br/>
//
// or, with pipeline.vertex-description-mode = CASCADING, one line: "a -> (b -> c , d)". HTML is
// escaped, and a line break inside a literal is "<br/>" too. Pure; safe from any thread.
#pragma once

#include <string_view>
#include <vector>

#include "sidecar/model/job_graph.h"

namespace fss {

// `html` as it stands in the answer. The result is never empty: a text that fits no form is one
// operator. Plan node ids are taken from "[19]:Join(…)"; from "kv_sink[26]: Writer" only when
// `trust_suffix_ids`: a DataStream program may call its operator "split[3]".
std::vector<ChainOperator> ParseChainDescription(std::string_view html, bool trust_suffix_ids);

}  // namespace fss
