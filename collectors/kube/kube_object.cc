#include "collectors/kube/kube_object.h"

namespace fss {

const char* KubeKindName(KubeKind kind) {
  switch (kind) {
    case KubeKind::kFlinkDeployment:
      return "FlinkDeployment";
    case KubeKind::kFlinkSessionJob:
      return "FlinkSessionJob";
    case KubeKind::kService:
      return "Service";
    case KubeKind::kConfigMap:
      break;
  }
  return "ConfigMap";
}

const char* KubeResourceName(KubeKind kind) {
  switch (kind) {
    case KubeKind::kFlinkDeployment:
      return "flinkdeployments";
    case KubeKind::kFlinkSessionJob:
      return "flinksessionjobs";
    case KubeKind::kService:
      return "services";
    case KubeKind::kConfigMap:
      break;
  }
  return "configmaps";
}

const char* KubeApiVersion(KubeKind kind) {
  const bool flink = kind == KubeKind::kFlinkDeployment || kind == KubeKind::kFlinkSessionJob;
  return flink ? "flink.apache.org/v1beta1" : "v1";
}

std::string KubePath(KubeKind kind, const std::string& namespace_name) {
  const std::string version = KubeApiVersion(kind);
  std::string path = version == "v1" ? "/api/v1" : "/apis/" + version;
  if (!namespace_name.empty()) path += "/namespaces/" + namespace_name;
  return path + "/" + KubeResourceName(kind);
}

}  // namespace fss
