#include "sidecar/app/fleet/election.h"

#include <algorithm>
#include <utility>

namespace fss {

void Election::Saw(const std::optional<Lease>& lease, std::int64_t now_ms) {
  known_ = true;
  exists_ = lease.has_value();
  const Lease fresh = lease.value_or(Lease{});
  if (fresh.resource_version != seen_.resource_version || fresh.holder != seen_.holder) {
    seen_ms_ = now_ms;
  }
  seen_ = fresh;
  if (!Mine()) leads_until_ms_ = 0;
}

std::optional<Lease> Election::Wanted(std::int64_t now_ms, const std::string& micro_time) const {
  if (!known_) return std::nullopt;
  // Whoever holds it may have said another duration than ours.
  const std::int64_t held_ms = std::max(options_.duration_ms, seen_.duration_seconds * 1000);
  const bool free = !exists_ || seen_.holder.empty() || now_ms - seen_ms_ > held_ms;
  if (!Mine() && !free) return std::nullopt;
  Lease lease;
  lease.resource_version = seen_.resource_version;
  lease.holder = options_.identity;
  lease.duration_seconds = options_.duration_ms / 1000;
  lease.renew_time = micro_time;
  lease.acquire_time = Mine() ? seen_.acquire_time : micro_time;
  lease.transitions = seen_.transitions + (Mine() || !exists_ ? 0 : 1);
  return lease;
}

void Election::Wrote(const Lease& written, std::int64_t began_ms) {
  exists_ = true;
  seen_ = written;
  seen_ms_ = began_ms;
  leads_until_ms_ = Mine() ? began_ms + options_.renew_deadline_ms : 0;
}

bool Election::Leads(std::int64_t now_ms) const { return now_ms < leads_until_ms_; }

std::optional<Lease> Election::Release(const std::string& micro_time) {
  const bool mine = leads_until_ms_ > 0 && Mine();
  leads_until_ms_ = 0;
  if (!mine) return std::nullopt;
  Lease lease = seen_;
  lease.holder.clear();
  lease.duration_seconds = 1;
  lease.renew_time = micro_time;
  return lease;
}

}  // namespace fss
