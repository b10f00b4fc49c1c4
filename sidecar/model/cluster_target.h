// A Flink cluster that was found, and how it is asked.
#pragma once

#include <string>
#include <vector>

namespace fss {

// What of Kubernetes an Event about the cluster is attached to.
struct ObjectReference {
  std::string api_version;
  std::string kind;
  std::string namespace_name;
  std::string name;
  std::string uid;

  bool operator==(const ObjectReference&) const = default;
};

struct ClusterTarget {
  std::string name;               // "<namespace>/<deployment>": the label cluster
  std::vector<std::string> urls;  // of its REST API; not empty
  ObjectReference regarding;      // the FlinkDeployment, else the Service

  bool operator==(const ClusterTarget&) const = default;
};

}  // namespace fss
