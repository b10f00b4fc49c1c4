// /jobs/:jid/vertices/:vid/subtasks/metrics: which RocksDB metrics a vertex has, and their sums
// over its subtasks.
//
// A metric's id is "<operator>.<state>.rocksdb_<property>" (Flink 1.20 and 2.3; ForSt's too). Flink
// puts "_" for each dot, space, colon and comma within a part, and cuts operators' names after 80
// characters. With state.backend.rocksdb.metrics.column-family-as-variable there is
// ".column_family" before the state.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// The estimate-live-data-size and estimate-num-keys metrics of a vertex' states, timers left out.
// Sorted, each once, at most 1,000; ids of absurd length are left out. None in an answer without
// metrics: the JobManager has not fetched them yet, or does not know the vertex. Errors as
// JsonAnswer::ParseArray.
Result<std::vector<std::string>> ReadStateMetricIds(RestAnswer answer);

// The answer to ?agg=sum&get=… for `asked` (sorted ids of the above), by state. What is not a
// number, or negative, is absent; states without a number are left out. Nothing when the answer is
// empty: Flink (1.20, 2.3) gives no value at all when it does not know one of the metrics. Errors
// as JsonAnswer::ParseArray.
Result<std::vector<LiveState>> ReadLiveStates(RestAnswer answer,
                                              const std::vector<std::string>& asked);

// The ids of a state's two metrics, without a column family: what StateMetrics::Add reads.
std::string LiveBytesMetric(const LiveState& state);
std::string KeysMetric(const LiveState& state);

// Values of such metrics, put together by state.
class StateMetrics {
 public:
  // Takes one value; whatever is not one of the above metrics, no number, negative or absurd is
  // left out.
  void Add(std::string_view id, double value);
  // What was gathered, by operator and state; nothing is left.
  std::vector<LiveState> TakeStates();

 private:
  std::map<std::pair<std::string, std::string>, LiveState> states_;
};

}  // namespace fss
