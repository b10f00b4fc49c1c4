#include "collectors/kube/discovery.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace fss {
namespace {

constexpr std::int64_t kRestPort = 8081;
// What Flink adds to the deployment's name for the Service of its REST API.
constexpr std::string_view kRestSuffix = "-rest";

// What is known of a cluster while it is put together.
struct Found {
  const KubeObject* deployment = nullptr;
  const KubeObject* service = nullptr;  // with a port for REST
  std::int64_t port = 0;                // of that Service
  std::string annotated;                // a Service's rest-url
  const KubeObject* annotated_by = nullptr;
  std::string namespace_name;
  std::string name;
};

// "rest" is Flink's own name of it, "webui" that of Flink's examples.
std::optional<std::int64_t> RestPortOf(const KubeObject& service) {
  for (const std::string_view name : {"rest", "webui"}) {
    for (const ServicePort& port : service.ports) {
      if (port.name == name) return port.port;
    }
  }
  for (const ServicePort& port : service.ports) {
    if (port.port == kRestPort) return port.port;
  }
  return std::nullopt;
}

bool MadeByFlink(const KubeObject& service) {
  return service.type == "flink-native-kubernetes" || service.type == "flink-standalone-kubernetes";
}

// The deployment that a Service belongs to. Flink and its operator label theirs with it; others are
// called what they are, with or without "-rest".
std::string DeploymentOf(const KubeObject& service) {
  if (MadeByFlink(service) && !service.app.empty()) return service.app;
  const std::string_view name = service.name;
  const bool rest = name.size() > kRestSuffix.size() && name.ends_with(kRestSuffix);
  return std::string(rest ? name.substr(0, name.size() - kRestSuffix.size()) : name);
}

std::string Address(bool tls, const std::string& service, const std::string& namespace_name,
                    std::int64_t port) {
  return (tls ? "https://" : "http://") + service + "." + namespace_name +
         ".svc:" + std::to_string(port);
}

ObjectReference ReferenceTo(KubeKind kind, const KubeObject& object) {
  return {KubeApiVersion(kind), KubeKindName(kind), object.namespace_name, object.name, object.uid};
}

class Finder {
 public:
  void AddDeployment(const KubeObject& deployment) {
    At(deployment.namespace_name, deployment.name).deployment = &deployment;
  }

  void AddService(const KubeObject& service) {
    const auto port = RestPortOf(service);
    if (!port && service.rest_url.empty()) return;
    Found& found = At(service.namespace_name, DeploymentOf(service));
    if (!service.rest_url.empty() && found.annotated.empty()) {
      found.annotated = service.rest_url;
      found.annotated_by = &service;
    }
    // Of several the one that Flink calls so; else the first.
    const bool better = found.service == nullptr || (service.name.ends_with(kRestSuffix) &&
                                                     !found.service->name.ends_with(kRestSuffix));
    if (port && better) {
      found.service = &service;
      found.port = *port;
    }
  }

  void AddSessionJob(const KubeObject& job) {
    if (!job.deployment.empty()) At(job.namespace_name, job.deployment);
  }

  std::vector<ClusterTarget> Take() const {
    std::vector<ClusterTarget> targets;
    for (const auto& [name, found] : clusters_) {
      if (found.deployment != nullptr && found.deployment->suspended) continue;
      ClusterTarget target;
      target.name = name;
      target.urls = {UrlOf(found)};
      if (found.deployment != nullptr) {
        target.regarding = ReferenceTo(KubeKind::kFlinkDeployment, *found.deployment);
      } else if (const KubeObject* service = ServiceOf(found)) {
        target.regarding = ReferenceTo(KubeKind::kService, *service);
      }
      targets.push_back(std::move(target));
    }
    return targets;
  }

 private:
  Found& At(const std::string& namespace_name, const std::string& name) {
    Found& found = clusters_[namespace_name + "/" + name];
    found.namespace_name = namespace_name;
    found.name = name;
    return found;
  }

  static const KubeObject* ServiceOf(const Found& found) {
    return found.service != nullptr ? found.service : found.annotated_by;
  }

  static std::string UrlOf(const Found& found) {
    const KubeObject* deployment = found.deployment;
    if (deployment != nullptr && !deployment->rest_url.empty()) return deployment->rest_url;
    if (!found.annotated.empty()) return found.annotated;
    const bool tls = deployment != nullptr && deployment->rest_tls;
    if (found.service != nullptr) {
      return Address(tls, found.service->name, found.namespace_name, found.port);
    }
    const std::int64_t port =
        deployment == nullptr ? kRestPort : deployment->rest_port.value_or(kRestPort);
    return Address(tls, found.name + std::string(kRestSuffix), found.namespace_name, port);
  }

  std::map<std::string, Found> clusters_;
};

}  // namespace

std::vector<ClusterTarget> FindClusters(const KubeObjects& objects) {
  Finder finder;
  for (const KubeObject* deployment : objects.deployments) finder.AddDeployment(*deployment);
  for (const KubeObject* service : objects.services) finder.AddService(*service);
  for (const KubeObject* job : objects.session_jobs) finder.AddSessionJob(*job);
  return finder.Take();
}

KubePlans FindPlans(const KubeObjects& objects) {
  KubePlans found;
  for (const KubeObject* map : objects.config_maps) {
    std::string cluster = map->cluster;
    if (!cluster.empty() && cluster.find('/') == std::string::npos) {
      cluster.insert(0, 1, '/').insert(0, map->namespace_name);
    }
    for (const PlanEntry& entry : map->plans) {
      if (entry.plan != nullptr) {
        found.plans.push_back({entry.plan, cluster});
      } else {
        found.unreadable.push_back({map->Key() + "/" + entry.key, entry.error});
      }
    }
  }
  std::sort(found.plans.begin(), found.plans.end(),
            [](const KubePlan& a, const KubePlan& b) { return a.plan->file < b.plan->file; });
  std::sort(found.unreadable.begin(), found.unreadable.end(),
            [](const UnreadablePlan& a, const UnreadablePlan& b) { return a.file < b.file; });
  return found;
}

}  // namespace fss
