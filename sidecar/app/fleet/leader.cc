#include "sidecar/app/fleet/leader.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "collectors/kube/kube_reader.h"
#include "collectors/kube/lease_json.h"
#include "sidecar/base/micro_time.h"

namespace fss {
namespace {

using std::chrono::milliseconds;

// Within the renew deadline there must be room for a second try.
constexpr milliseconds kLeaseTimeout{4000};
constexpr milliseconds kReleaseTimeout{2000};
constexpr const char* kJson = "application/json";

std::string LeasesPath(const std::string& namespace_name) {
  return "/apis/coordination.k8s.io/v1/namespaces/" + namespace_name + "/leases";
}

}  // namespace

Leader::Leader(LeaderOptions options, std::unique_ptr<KubeHttp> http, const Clock& clock,
               std::function<double()> random, std::function<void(bool leads)> changed)
    : options_(std::move(options)),
      http_(std::move(http)),
      clock_(clock),
      random_(std::move(random)),
      changed_(std::move(changed)),
      election_(options_.election),
      trouble_("leader election by lease " + options_.namespace_name + "/" + options_.lease) {}

Leader::~Leader() { Stop(); }

void Leader::Begin() {
  thread_ = std::thread([this] { Run(); });
}

bool Leader::Leads() const { return clock_.MonotonicMillis() < leads_until_ms_; }

void Leader::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Leader::Run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    lock.unlock();
    Round();
    Tell();
    lock.lock();
    const auto retry = static_cast<double>(options_.election.retry_ms);
    milliseconds wait(static_cast<std::int64_t>(retry * (1 + random_() * 0.2)));
    // The end of the term is told when it comes.
    const std::int64_t left = leads_until_ms_ - clock_.MonotonicMillis();
    if (leads_ && left > 0) wait = std::min(wait, milliseconds(left));
    wake_.wait_for(lock, wait, [this] { return stop_; });
  }
  lock.unlock();
  leads_until_ms_ = 0;
  const auto released = election_.Release(MicroTime(clock_.WallMillis()));
  if (released) (void)Write(*released, /*create=*/false);
}

// Reads the Lease and writes it where it is free or ours.
void Leader::Round() {
  KubeRequest request;
  request.path = LeasesPath(options_.namespace_name) + "/" + options_.lease;
  request.timeout = kLeaseTimeout;
  Result<KubeAnswer> answer = http_->Send(request);
  if (!answer.ok()) return trouble_.Failed(answer.error().ToString());
  const bool exists = answer->status != 404;
  std::optional<Lease> seen;
  if (exists) {
    Result<Lease> lease = ReadLease(*std::move(answer));
    if (!lease.ok()) return trouble_.Failed(lease.error().ToString());
    seen = *std::move(lease);
  }
  election_.Saw(seen, clock_.MonotonicMillis());
  const std::int64_t began = clock_.MonotonicMillis();
  const auto wanted = election_.Wanted(began, MicroTime(clock_.WallMillis()));
  if (!wanted) return trouble_.Recovered();
  const Result<Lease> written = Write(*wanted, !exists);
  if (written.ok()) {
    election_.Wrote(*written, began);
    trouble_.Recovered();
  } else if (written.error().message.find("HTTP 409") == std::string::npos) {
    trouble_.Failed(written.error().ToString());  // 409: another one was faster
  }
}

Result<Lease> Leader::Write(const Lease& lease, bool create) {
  KubeRequest request;
  request.method = create ? "POST" : "PUT";
  request.path = LeasesPath(options_.namespace_name) + (create ? "" : "/" + options_.lease);
  request.content_type = kJson;
  request.body = LeaseJson(lease, options_.namespace_name, options_.lease);
  request.timeout = lease.holder.empty() ? kReleaseTimeout : kLeaseTimeout;
  Result<KubeAnswer> answer = http_->Send(request);
  if (!answer.ok()) return answer.error();
  return ReadLease(*std::move(answer));
}

void Leader::Tell() {
  leads_until_ms_ = election_.leads_until_ms();
  const bool leads = Leads();
  if (!election_.knows() || (told_ && leads == leads_)) return;
  told_ = true;
  leads_ = leads;
  Log(LogLevel::kInfo, leads ? "leading" : "another replica leads",
      {{"lease", options_.namespace_name + "/" + options_.lease},
       {"holder", election_.holder()},
       {"identity", options_.election.identity}});
  changed_(leads);
}

}  // namespace fss
