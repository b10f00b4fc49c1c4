// What one poll learnt from a JobManager. A value: built by the collector, then only read.
//
// What is not known is absent (std::nullopt, an empty text), never 0, -1 or NaN.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/model/job_graph.h"

namespace fss {

// /jobs/:jid/checkpoints/config. Empty texts where Flink says "Unknown".
struct CheckpointConfig {
  std::string state_backend;  // "HashMapStateBackend", "EmbeddedRocksDBStateBackend", …
  std::string checkpoint_storage;
  std::optional<std::int64_t> interval_ms;  // absent when checkpointing is off (2^63-1)
  std::optional<std::int64_t> timeout_ms;
  std::optional<bool> unaligned;
  std::optional<bool> changelog;
};

// Sizes of one vertex in one checkpoint, bytes.
struct VertexSize {
  std::int64_t state_size = 0;  // full size
  // What this checkpoint wrote. Absent before Flink 1.15.
  std::optional<std::int64_t> checkpointed_size;
  // In-flight bytes of an unaligned checkpoint, part of state_size.
  std::optional<std::int64_t> persisted_data = std::nullopt;
};

// A completed checkpoint or savepoint. Never changes once completed.
struct CompletedCheckpoint {
  std::int64_t id = 0;
  bool savepoint = false;
  std::int64_t trigger_ms = 0;
  std::optional<std::int64_t> completed_ms;  // the last acknowledgement
  std::int64_t state_size = 0;
  std::optional<std::int64_t> checkpointed_size;
  std::optional<std::int64_t> persisted_data;  // in-flight bytes of an unaligned checkpoint
  std::string external_path;
  // By vertex id; empty in history rows, filled from /checkpoints/details/:cid.
  std::map<std::string, VertexSize> vertices;
};

struct FailedCheckpoint {
  std::int64_t id = 0;
  std::int64_t trigger_ms = 0;
  std::optional<std::int64_t> failed_ms;
  std::string reason;  // Flink's failure message, one line; may be empty
};

struct RestoredCheckpoint {
  std::int64_t id = 0;
  std::int64_t restored_ms = 0;
  bool savepoint = false;
  std::string external_path;
};

struct CheckpointCounts {
  std::int64_t completed = 0;
  std::int64_t failed = 0;
  std::int64_t in_progress = 0;
  std::int64_t restored = 0;
};

// What RocksDB itself says of one state of one operator, summed over the subtasks; its estimates.
// Known where Flink reports state.backend.rocksdb.metrics.estimate-live-data-size and
// …estimate-num-keys.
struct LiveState {
  std::string operator_name;  // as in the metric's name: "Join[19]"
  std::string state_name;     // as in the metric's name: "left-records"
  std::optional<std::int64_t> live_bytes;
  std::optional<std::int64_t> keys;
};

// RocksDB's figures for one vertex.
struct LiveSample {
  std::int64_t taken_ms = 0;  // our clock
  std::vector<LiveState> states;
};

// A vertex' bytes per subtask, in subtask order, in one completed checkpoint.
struct SubtaskSizes {
  std::int64_t checkpoint_id = 0;
  std::vector<std::int64_t> bytes;
};

struct JobSnapshot {
  std::string id;     // 32 hex digits; all zero in application mode with HA
  std::string name;   // any text: newlines, quotes, 5,000 characters
  std::string state;  // "RUNNING", "RESTARTING", "FAILED", …
  std::int64_t start_ms = 0;
  // The JobManager's clock when it answered (start + duration): ages are taken against it, so a
  // wrong clock beside the JobManager invents no staleness. Absent for ended jobs.
  std::optional<std::int64_t> jobmanager_now_ms;
  std::optional<int> tasks_total;
  std::optional<int> tasks_running;

  JobGraph graph;  // no vertices when the job failed while starting, or is not known yet
  std::optional<CheckpointConfig> config;
  std::optional<CheckpointCounts> counts;
  // The latest completed checkpoint (not a savepoint), with sizes per vertex when they are known.
  std::optional<CompletedCheckpoint> latest;
  std::optional<FailedCheckpoint> latest_failed;
  std::optional<RestoredCheckpoint> latest_restored;
  // Completed checkpoints and savepoints of Flink's own history (10 by default), oldest first.
  std::vector<CompletedCheckpoint> history;
  // Completed checkpoints (no savepoints) whose sizes per vertex became known with this poll,
  // oldest first: each is in one poll's snapshot alone.
  std::vector<CompletedCheckpoint> fresh;
  // By vertex id, where the job's RocksDB metrics are on; asked once a minute, else as then.
  std::map<std::string, LiveSample> live;
  // By vertex id; asked now and then for vertices with keyed state and several subtasks.
  std::map<std::string, SubtaskSizes> subtask_sizes;
  // Failed checkpoints in that history with an id above the latest completed one's.
  int failed_since_completed = 0;
  // One line per answer of this job that could not be had in this poll.
  std::vector<std::string> problems;

  // FINISHED, FAILED, CANCELED: nothing runs, nothing is asked. (SUSPENDED ends the job for this
  // JobManager: the same.)
  bool Terminal() const;
};

// /taskmanagers and /taskmanagers/:id. Bytes.
struct TaskManagerSnapshot {
  std::string id;
  std::int64_t taken_ms = 0;                // our clock
  std::optional<std::int64_t> heap_used;    // Status.JVM.Memory.Heap.Used: garbage included
  std::optional<std::int64_t> heap_max;     // -Xmx
  std::optional<std::int64_t> task_heap;    // taskmanager.memory.task.heap.size, configured
  std::optional<std::int64_t> managed;      // managed memory, configured
  std::map<std::string, int> slots_by_job;  // slots that each job holds here, by job id
};

struct ClusterSnapshot {
  std::string cluster;            // the label, --cluster
  std::string flink_version;      // "2.3.0"; empty when not known
  std::int64_t taken_ms = 0;      // our clock
  std::vector<JobSnapshot> jobs;  // sorted by start time, then id
  // Known while a job keeps state on the heap (hashmap).
  std::vector<TaskManagerSnapshot> task_managers;
};

}  // namespace fss
