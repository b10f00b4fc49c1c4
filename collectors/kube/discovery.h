// Clusters and plans out of the Kubernetes objects that are known. Pure; safe from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectors/kube/kube_object.h"
#include "sidecar/model/cluster_target.h"

namespace fss {

// The objects of each kind, in any order.
struct KubeObjects {
  std::vector<const KubeObject*> deployments;
  std::vector<const KubeObject*> session_jobs;
  std::vector<const KubeObject*> services;
  std::vector<const KubeObject*> config_maps;
};

// Sorted by name; no name twice. A FlinkDeployment, its Services and its FlinkSessionJobs are one
// cluster, "<namespace>/<deployment>". The address is that of the annotation
// flink-state-sidecar/rest-url (the FlinkDeployment's before a Service's), else the deployment's
// Service <name>-rest, else the Service's own. A FlinkDeployment that is suspended, and a Service
// without a port for REST, is none.
std::vector<ClusterTarget> FindClusters(const KubeObjects& objects);

struct KubePlan {
  std::shared_ptr<const CompiledPlan> plan;
  std::string cluster;  // by the annotation flink-state-sidecar/cluster; empty: whosever it fits
};

struct KubePlans {
  std::vector<KubePlan> plans;
  std::vector<UnreadablePlan> unreadable;
};

// Of all ConfigMaps, sorted by their files. The annotation names a cluster as "<namespace>/<name>",
// or one of the ConfigMap's own namespace by its name alone.
KubePlans FindPlans(const KubeObjects& objects);

}  // namespace fss
