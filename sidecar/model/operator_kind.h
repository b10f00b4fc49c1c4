// How an operator's state goes away.
#pragma once

namespace fss {

enum class Cleanup {
  kStateless,  // keeps no state
  kTtl,        // idle state retention: table.exec.state.ttl or a STATE_TTL hint; 0 is for ever
  kWatermark,  // dropped when the watermark passes a window's end or an interval's bound
  kBounded,    // bounded by its definition (a count, a fixed number of rows)
  kConnector,  // offsets, splits, committables: the source's or sink's own
  kUnknown,    // a kind that the catalogue lacks
};

// "stateless", "ttl", "watermark", "bounded", "connector", "unknown": the words of the JSON.
const char* CleanupName(Cleanup cleanup);

}  // namespace fss
