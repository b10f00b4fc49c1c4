// Leader election by a Lease: what a replica may believe and what it writes. Pure; time comes with
// each call.
//
// As client-go has it: a Lease is held for its duration from the moment that this replica saw it
// change, by this replica's own clock; nobody's clock is compared with another's. Who leads stops
// to believe so when it could not renew for less than that: there are never two who poll.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sidecar/model/lease.h"

namespace fss {

struct ElectionOptions {
  std::string identity;  // another one for each process
  std::int64_t duration_ms = 15'000;
  std::int64_t renew_deadline_ms = 10'000;
  std::int64_t retry_ms = 2000;
};

// Not thread safe. `now_ms` is of a monotonic clock, `wall_ms` since 1970.
class Election {
 public:
  explicit Election(ElectionOptions options) : options_(std::move(options)) {}

  // What the server has, read before `now_ms`; absent: there is no such Lease.
  void Saw(const std::optional<Lease>& lease, std::int64_t now_ms);

  // The Lease to write now: to take one that is free, to renew one's own; absent: it is another's.
  std::optional<Lease> Wanted(std::int64_t now_ms, const std::string& micro_time) const;

  // It was written, by a request that began at `began_ms`; `written` as the server answered.
  void Wrote(const Lease& written, std::int64_t began_ms);
  // Another one was faster, or the Lease could not be read or written: nothing is known to be ours
  // that was not so before.

  // Whether this replica leads. False as soon as the deadline is over, whatever was written.
  bool Leads(std::int64_t now_ms) const;
  // Until when, without another word.
  std::int64_t leads_until_ms() const { return leads_until_ms_; }
  // No longer, from now on; the Lease to write so that another need not wait, if it was ours.
  std::optional<Lease> Release(const std::string& micro_time);

  // Whether the Lease was seen, by whomever it is held.
  bool knows() const { return known_; }
  const std::string& holder() const { return seen_.holder; }

 private:
  bool Mine() const { return seen_.holder == options_.identity; }

  const ElectionOptions options_;
  bool known_ = false;
  bool exists_ = false;
  Lease seen_;
  std::int64_t seen_ms_ = 0;  // when it last changed, as seen from here
  std::int64_t leads_until_ms_ = 0;
};

}  // namespace fss
