// What a compiled plan says (COMPILE PLAN, Flink 1.18 to 2.3), as read from its JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fss {

// One entry of a node's `state` list.
struct StateEntry {
  int index = 0;
  std::string name;  // "leftState", "groupAggregateState", "input-state-2", …
  std::string ttl;   // the plan's own text, "0 ms", "30 min"; empty when the plan has none
  // Milliseconds as Flink loads `ttl`; 0 is for ever. Absent when Flink would refuse the text or
  // the plan has none: the job's default of the day it starts then decides.
  std::optional<std::int64_t> ttl_ms;

  bool Forever() const { return ttl_ms == std::int64_t{0}; }
};

// The keys that meet in a sink, by the columns of its table.
struct SinkKeys {
  std::vector<std::string> primary;  // the table's PRIMARY KEY; never empty
  // By what the rows of its input are unique (Flink's "upsert key"); empty where Flink knows of no
  // such columns, "" for a column without a name.
  std::vector<std::string> upsert;
};

struct PlanNode {
  std::int64_t id = 0;
  std::string type;             // "stream-exec-join_1"
  std::string kind;             // "join": the type without execution mode and version
  bool batch = false;           // "batch-exec-…"
  bool declares_state = false;  // the node has a `state` list: absent is not "stateless"
  bool rowtime_ltz = false;     // `rowtime` is a TIMESTAMP_LTZ
  int version = 0;              // the number after the last "_"; 0 where there is none
  int line = 0;                 // 1-based line of the node's opening brace in the file; 0 unknown
  std::string description;      // "Join(joinType=[InnerJoin], where=[…], …)"
  std::string uid;              // a process table function's own uid; else empty
  std::string rowtime;          // the first event-time attribute of its output; empty: none
  // Stands for the types of its output's columns, without their names: equal numbers in two plans
  // of one Flink version are rows that Flink's serializers take for each other's. 0: not known.
  std::uint64_t row_type = 0;
  // Of a sink whose table has a primary key, where the plan tells it; else nullptr. Shared, for
  // plans are copied and few nodes are sinks.
  std::shared_ptr<const SinkKeys> sink_keys = nullptr;
  std::vector<StateEntry> state;  // in the order of the file
};

struct PlanEdge {
  std::int64_t source = 0;
  std::int64_t target = 0;
};

// Edges into one target stand in the order of its inputs (0 is left).
struct CompiledPlan {
  std::string file;           // the name to show: the path as given, or relative to the plan folder
  std::string flink_version;  // "2.3", "1.20"; text, may be empty (Flink's own test plans)
  std::vector<PlanNode> nodes;
  std::vector<PlanEdge> edges;
  // Lines about parts that could not be used as they are (a TTL text that Flink refuses): the
  // rest of the plan stands.
  std::vector<std::string> problems;

  const PlanNode* FindNode(std::int64_t id) const;
  // Ids of the nodes that feed `id`, in input order.
  std::vector<std::int64_t> InputsOf(std::int64_t id) const;
};

// A plan file that could not be read as a plan: its name and one line why.
struct UnreadablePlan {
  std::string file;
  std::string error;
};

// All plans of the plan folder at one moment. Files with equal bytes appear once, under the first
// name. Sorted by file.
struct PlanLibrary {
  // Differs from that of every other library of the same folder; 0 where nobody counts. Lets
  // readers keep what they worked out from it.
  std::uint64_t generation = 0;
  std::vector<CompiledPlan> plans;
  std::vector<UnreadablePlan> unreadable;
};

}  // namespace fss
