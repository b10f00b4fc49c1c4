// The operator catalogue: one row for each kind of plan node, and all that the product knows of it.
//
// A new kind is one row in operator_catalogue.cc; nothing else lists kinds. Immutable; safe from
// any thread. Facts are of Flink 1.18 to 2.3 where no version is named.
#pragma once

#include <span>
#include <string_view>

#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/operator_kind.h"

namespace fss {

struct OperatorKind {
  std::string_view kind;           // "join"
  std::string_view operator_name;  // in the job graph, before "[id]" or "(": "Join"
  Cleanup cleanup = Cleanup::kUnknown;
  // Keyed state that grows with the data: what people mean by "state". False for sources, sinks
  // and stateless kinds.
  bool keyed = false;
  // The names behind "<node id>_" in operator uids, the stateful one first: {"join"}.
  std::span<const std::string_view> transformations;
  // Names in the plan's `state` list: {"leftState", "rightState"}; "input-state-" for a family.
  // Empty where the plan lists none, whether or not the kind keeps state.
  std::span<const std::string_view> entries;
  // STATE_TTL hints reach it (regular joins and GROUP BY alone).
  bool takes_hint = false;
  // What expiry does to this operator's result, a clause: "a match later than that is silently
  // lost". Empty where nothing expires.
  std::string_view expiry;
  // What to do instead of keeping it for ever, first the ways that bound it in time; a sentence
  // or more. Empty where nothing is to be done.
  std::string_view instead;
  // What RocksDB's own bookkeeping (its MANIFEST) may add to each subtask with every checkpoint,
  // bytes: it grows with the number of column families and is no state. About twice what was seen
  // on Flink 2.3.0: GROUP BY 198 to 240, Top-N 490, join 530, window aggregation 354, deduplication
  // by event time 1,027, interval join 2,840.
  double bookkeeping_bytes = 1200;
};

// All rows, sorted by kind.
std::span<const OperatorKind> AllOperatorKinds();

// The row of `kind` ("join"), or nullptr.
const OperatorKind* FindOperatorKind(std::string_view kind);

// The row whose operators are called so in a job graph ("Join", "GroupAggregate", "Source: orders",
// "kv_sink: Writer"), or nullptr. Where several kinds share a name, the commonest.
const OperatorKind* FindKindByOperatorName(std::string_view name);

// How this node's state goes away: the row's answer, made precise by the node (a sink that
// materialises upserts keeps state by TTL; a batch node keeps none). kUnknown without a row.
Cleanup CleanupOf(const PlanNode& node);

// Whether this node keeps keyed state, made precise in the same way.
bool KeepsKeyedState(const PlanNode& node);

}  // namespace fss
