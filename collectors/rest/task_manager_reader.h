// /taskmanagers/:id: one TaskManager's memory, and whose slots it holds.
#pragma once

#include <string>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// The TaskManager `id`, taken_ms left at 0. The heap is absent while Flink says 0 of it: its
// metrics have not been fetched yet. kMalformed when the answer is about another one; other errors
// as JsonAnswer::Parse. (Flink 1.20 and 2.3 answer 500 for a TaskManager that has gone.)
Result<TaskManagerSnapshot> ReadTaskManager(RestAnswer answer, const std::string& id);

}  // namespace fss
