// Writes a `_metadata` (format 6) as large jobs have them: incremental RocksDB checkpoints of
// operators with many subtasks, each with many shared files.
#pragma once

#include <cstdint>
#include <string>

namespace fss {

struct LargeJob {
  int operators = 25;
  int subtasks = 256;
  int files = 0;  // shared files per subtask; 0: as many as it takes to fill `bytes`
  std::uint64_t bytes = 100'000'000;
};

// The file's bytes: valid for Flink's own loader. What it adds up to: each file has 67,108,864
// bytes, each description of states as many as it has.
std::string WriteLargeMetadata(const LargeJob& job);

}  // namespace fss
