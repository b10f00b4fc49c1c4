// A Lease of coordination.k8s.io/v1, by which replicas agree on one of them.
#pragma once

#include <cstdint>
#include <string>

namespace fss {

struct Lease {
  std::string holder;  // empty: nobody's
  std::int64_t duration_seconds = 0;
  std::string acquire_time;  // as it stands there: others' clocks are not looked at
  std::string renew_time;
  std::int64_t transitions = 0;
  std::string resource_version;  // of the object that was read; a write that names it fails if it
                                 // has changed since
};

}  // namespace fss
