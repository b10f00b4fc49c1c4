// Where alerts are posted to. An interface, so that the sender can be tested without a network.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sidecar/base/result.h"

namespace fss {

struct PostOutcome {
  std::string target;  // its URL without credentials
  Status status;
};

// Post from one thread; Cancel from any.
class AlertPoster {
 public:
  virtual ~AlertPoster() = default;

  // Posts all bodies, in their order, to each target; an outcome for each target, its first error
  // where there was one. Returns when each has answered or used up its time. Errors: kUnreachable,
  // kTimeout, kHttpStatus (with the beginning of the answer).
  virtual std::vector<PostOutcome> Post(std::span<const std::string> bodies) = 0;

  // Ends a Post under way within some 100 ms, and every later one at once.
  virtual void Cancel() = 0;
};

}  // namespace fss
