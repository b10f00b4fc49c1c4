// The history file that the flags ask for.
#pragma once

#include <memory>

#include "sidecar/analysis/sqlite_history_store.h"
#include "sidecar/base/result.h"

namespace fss {

// nullptr without --history_file: then a restart forgets. kInvalidArgument names the flag.
Result<std::shared_ptr<HistoryFile>> HistoryFileFromFlags();

}  // namespace fss
