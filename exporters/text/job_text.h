// One job of `scan`: its header line and its operator table. Pure; safe from any thread.
#pragma once

#include <string>

#include "exporters/text/report_text.h"

namespace fss {

// Appends "name  RUNNING  2.3.0  RocksDB, incremental  checkpoint 41 (…)  plan … by uid" and, for a
// job that has not ended, its operators. Ends with a line feed.
void AppendJob(const JobReport& job, const TextOptions& options, std::string* out);

}  // namespace fss
