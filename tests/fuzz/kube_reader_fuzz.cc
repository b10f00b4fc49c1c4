// Feeds bytes to what reads the Kubernetes API server: lists, watches, leases, packed plans.
// Whoever may write an object there may write anything into it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "collectors/kube/discovery.h"
#include "collectors/kube/informer.h"
#include "collectors/kube/kube_reader.h"
#include "collectors/kube/lease_json.h"
#include "collectors/kube/line_splitter.h"
#include "collectors/kube/unpacking.h"

namespace {

constexpr std::size_t kMaxPlain = 1U << 20U;

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckObjects(fss::KubeKind kind, const std::vector<fss::KubeObject>& objects) {
  fss::KubeObjects sorted;
  for (const fss::KubeObject& object : objects) {
    Require(!object.name.empty());
    Require(!object.rest_port || (*object.rest_port > 0 && *object.rest_port < 65'536));
    for (const fss::ServicePort& port : object.ports) Require(port.port > 0 && port.port < 65'536);
    for (const fss::PlanEntry& entry : object.plans) {
      Require((entry.plan == nullptr) != entry.error.empty());
    }
    switch (kind) {
      case fss::KubeKind::kFlinkDeployment:
        sorted.deployments.push_back(&object);
        break;
      case fss::KubeKind::kFlinkSessionJob:
        sorted.session_jobs.push_back(&object);
        break;
      case fss::KubeKind::kService:
        sorted.services.push_back(&object);
        break;
      case fss::KubeKind::kConfigMap:
        sorted.config_maps.push_back(&object);
        break;
    }
  }
  for (const fss::ClusterTarget& target : fss::FindClusters(sorted)) {
    Require(!target.name.empty() && target.urls.size() == 1 && !target.urls[0].empty());
  }
  (void)fss::FindPlans(sorted);
}

// The bytes as a watch, after an empty list.
void Watch(fss::KubeKind kind, const std::string& bytes) {
  fss::Informer informer({kind, "", ""}, [] { return 0.5; });
  (void)informer.Next(0);
  informer.TakeDone(fss::KubeAnswer{200, R"({"metadata":{"resourceVersion":"1"},"items":[]})"}, 0);
  (void)informer.Next(0);
  informer.TakeOpen();
  fss::LineSplitter lines(64U << 10U);
  (void)lines.Add(bytes, [&](std::string_view line) { return informer.TakeLine(line); });
  informer.TakeDone(fss::KubeAnswer{200, ""}, 0);
  Require(informer.NotBefore().has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const fss::KubeKind kind : {fss::KubeKind::kFlinkDeployment, fss::KubeKind::kFlinkSessionJob,
                                   fss::KubeKind::kService, fss::KubeKind::kConfigMap}) {
    if (const auto page = fss::ReadKubePage(kind, {200, bytes}); page.ok()) {
      CheckObjects(kind, page->objects);
    }
    Watch(kind, bytes);
  }
  (void)fss::KubeRefusal({403, bytes});
  if (const auto lease = fss::ReadLease({200, bytes}); lease.ok()) {
    Require(lease->duration_seconds >= 0);
    (void)fss::LeaseJson(*lease, "ns", "name");
  }
  if (const auto plain = fss::FromBase64(bytes); plain.ok()) Require(plain->size() <= size);
  if (const auto plain = fss::Gunzipped(bytes, kMaxPlain); plain.ok()) {
    Require(plain->size() <= kMaxPlain);
  }
  return 0;
}
