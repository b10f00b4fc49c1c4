// A history in an SQLite file. Several clusters share one file, and several processes may use it
// at once: a writer waits for another one for about a second.
//
// The file is opened by the first call that needs it and, after an error, tried again by each later
// call: a broken file that was moved away, a disk that has room again and a lock that is gone heal
// without a restart. A file that is moved or deleted in use is noticed; a Write then fails once
// (kIo), so that its caller knows that what it wrote before is not in the new file.
//
// Errors beside those of HistoryStore: kMalformed also for another application's database and for
// the file of a newer version. Such a file, and a broken one, is never written to, moved or
// deleted. A file that may only be read can be read; Write and Prune are kIo.
//
// "On disk" is as SQLite's WAL with synchronous=NORMAL: what a killed process wrote is there; after
// a power cut the last seconds may be missing, but each Write is there whole or not at all.
//
// Prune counts for the whole file, all clusters together. Of a line that runs, write the record
// (its last_ms) more than once an hour: a file that is too large loses first what was not seen for
// so long.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sidecar/analysis/history_store.h"

namespace fss {

struct HistoryOptions {
  std::string path;
  std::string cluster;                                // as a name: any text
  std::int64_t retention_ms = 30LL * 24 * 3'600'000;  // of lines, points and savepoints
  std::int64_t max_bytes = std::int64_t{256} << 20U;  // the file's, without -wal
};

// Never fails and touches nothing yet.
std::unique_ptr<HistoryStore> NewSqliteHistoryStore(HistoryOptions options);

// One connection to one file for the stores of many clusters, which may be used from several
// threads at once: they take turns. Opaque.
class HistoryFile;
// `options.cluster` is not looked at.
std::shared_ptr<HistoryFile> NewHistoryFile(HistoryOptions options);
std::unique_ptr<HistoryStore> NewSqliteHistoryStore(std::shared_ptr<HistoryFile> file,
                                                    std::string cluster);

}  // namespace fss
