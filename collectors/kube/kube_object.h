// What is kept of the Kubernetes objects that are watched.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/model/compiled_plan.h"

namespace fss {

enum class KubeKind { kFlinkDeployment, kFlinkSessionJob, kService, kConfigMap };

// "FlinkDeployment".
const char* KubeKindName(KubeKind kind);
// "flinkdeployments", as Roles and paths have it.
const char* KubeResourceName(KubeKind kind);
// "flink.apache.org/v1beta1", "v1".
const char* KubeApiVersion(KubeKind kind);
// "/apis/flink.apache.org/v1beta1/namespaces/NS/flinkdeployments"; of all namespaces for "".
std::string KubePath(KubeKind kind, const std::string& namespace_name);

struct ServicePort {
  std::string name;
  std::int64_t port = 0;
  bool operator==(const ServicePort&) const = default;
};

// An entry of a ConfigMap: a plan, or why it is none.
struct PlanEntry {
  std::string key;
  std::shared_ptr<const CompiledPlan> plan;  // its file is "<namespace>/<ConfigMap>/<key>"
  std::string error;
};

// Texts are cut to what Kubernetes allows. What its kind has not is empty.
struct KubeObject {
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::string resource_version;
  // Annotations flink-state-sidecar/…
  std::string rest_url;
  std::string cluster;
  // Of a FlinkDeployment.
  bool suspended = false;
  bool rest_tls = false;
  std::optional<std::int64_t> rest_port;
  // Of a FlinkSessionJob: the FlinkDeployment that it runs in.
  std::string deployment;
  // Of a Service.
  std::string app;
  std::string type;
  std::vector<ServicePort> ports;
  // Of a ConfigMap.
  std::vector<PlanEntry> plans;

  std::string Key() const { return namespace_name + "/" + name; }
};

}  // namespace fss
