// The outcome of one poll: all that exporters show. Immutable once published as
// std::shared_ptr<const Report>; safe to read from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/finding.h"
#include "sidecar/model/operator_edge.h"
#include "sidecar/model/operator_kind.h"
#include "sidecar/model/operator_link.h"
#include "sidecar/model/size_history.h"
#include "sidecar/model/trend.h"

namespace fss {

// What will be full first.
enum class FullOf : std::uint8_t { kNothing, kHeap, kDisk, kJobLimit };

struct EntryReport {
  std::string name;                    // "leftState"
  std::optional<std::int64_t> ttl_ms;  // 0 is for ever; absent when not known
  bool suspicious_ttl = false;         // a finding says this TTL is not what was meant
  // Whether the running job's checkpoint shows a TTL; absent where none was read, or it does not
  // tell.
  std::optional<bool> ttl_enabled = std::nullopt;
  // RocksDB's estimates, where Flink reports them; the trend is that of live_bytes.
  std::optional<std::int64_t> live_bytes = std::nullopt;
  std::optional<std::int64_t> keys = std::nullopt;
  Trend trend = {};
  std::optional<std::int64_t> seconds_until_full = std::nullopt;
};

// What of an operator stays from poll to poll, as long as its job is linked as it is.
struct OperatorIdentity {
  std::string vertex_id;
  std::optional<std::int64_t> node_id;  // the plan's, when matched to one
  std::string label;                    // "Join[19]": the running job's own name and id
  std::string kind;                     // "join"; "unknown" when not even the name tells
  // The operator's own id, by which checkpoints know it, where it is not its vertex': a vertex has
  // the id of its chain's head. See OwnId().
  std::string operator_id;
  // What is small is together, here and below: a large cluster has 20,000 of these.
  Cleanup cleanup = Cleanup::kUnknown;
  MatchedBy matched_by = MatchedBy::kNone;
  bool heads_chain = false;
  // The operator of its chain that the vertex' sizes are told of: the first that keeps keyed state,
  // else the head. One per vertex, so that sums stay true.
  bool carries_size = false;

  // Empty where it is not known.
  const std::string& OwnId() const { return heads_chain ? vertex_id : operator_id; }
};

struct OperatorReport : OperatorIdentity {
  FullOf full_of = FullOf::kNothing;  // what seconds_until_full is of
  // Bytes of the whole vertex in the latest completed checkpoint.
  std::optional<std::int64_t> size_bytes;
  std::optional<std::int64_t> checkpointed_bytes;
  // Bytes of this operator alone, in the checkpoint that was read itself (checkpoint_read_id).
  std::optional<std::int64_t> operator_bytes;
  // Of its sizes; where RocksDB tells the live bytes of its entries, of these: the worst of them,
  // and the sum of their growth.
  Trend trend;
  // Until heap, disk or a limit is full at the present growth; absent where it will not be, or
  // where no limit is known.
  std::optional<std::int64_t> seconds_until_full;
  // Bytes per subtask in a late checkpoint, largest first; empty where not known.
  std::vector<std::int64_t> subtask_bytes;
  std::vector<EntryReport> state;
};

// A job's hashmap state against the heap of the TaskManager that has least to spare for it. Bytes.
struct HeapReport {
  std::string task_manager;
  std::int64_t floor = 0;  // in use after collections
  std::int64_t max = 0;
  std::int64_t state_bytes = 0;  // the job's share there, as checkpoints count it
  // Bytes of heap per byte of checkpoint, learnt there; absent until it has grown enough to tell.
  std::optional<double> factor;
};

struct JobReport {
  std::string cluster;
  std::string id;
  std::string name;
  std::string state;
  std::int64_t start_ms = 0;
  std::string flink_version;
  bool terminal = false;
  std::optional<CheckpointConfig> config;
  // Seen from sizes: a checkpoint that wrote less than it holds. Absent until one tells.
  std::optional<bool> incremental;
  std::optional<CheckpointCounts> counts;
  std::optional<std::int64_t> checkpoint_id;  // the latest completed
  std::optional<std::int64_t> checkpoint_trigger_ms;
  std::optional<std::int64_t> checkpoint_age_ms;  // on the JobManager's clock, at the poll
  std::optional<std::int64_t> checkpoint_state_size;
  std::optional<std::int64_t> checkpoint_read_id;  // the one that was read itself, perhaps older
  std::optional<int> tasks_total;
  std::optional<int> tasks_running;
  std::string plan;  // the matched plan file; empty: none
  MatchedBy plan_matched_by = MatchedBy::kNone;
  std::vector<OperatorReport> operators;  // in graph order, sources first
  std::optional<HeapReport> heap;         // hashmap jobs, once the heap was watched for a while
  std::optional<std::int64_t> state_limit_bytes;  // from the rules file
  // The operator to look at first; absent where none rises.
  std::optional<std::size_t> fills_first;
  // Shared from poll to poll; nullptr where not known.
  std::shared_ptr<const OperatorEdges> edges;
  std::shared_ptr<const SizeHistory> size_history;
};

// What the sidecar knows of its own last poll.
struct PollHealth {
  bool up = false;         // the JobManager answered the last poll
  bool stale = false;      // jobs and findings are of an earlier poll
  std::string last_error;  // one line; empty when up
  std::optional<std::int64_t> last_success_ms;
  std::optional<std::int64_t> last_poll_duration_ms;
  std::optional<std::int64_t> poll_interval_ms;  // from one poll to the next
  std::uint64_t polls = 0;
};

struct Report {
  std::string cluster;
  std::string flink_version;
  std::int64_t taken_ms = 0;  // when the numbers were taken: the last poll that answered
  PollHealth health;
  std::vector<JobReport> jobs;
  std::vector<Finding> findings;  // most severe first, then job, operator, state, code
  std::size_t plans_loaded = 0;
  std::size_t plans_unreadable = 0;
};

}  // namespace fss
