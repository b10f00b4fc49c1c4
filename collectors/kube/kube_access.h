// How the Kubernetes API server is reached: with the pod's service account, or by flags.
#pragma once

#include <string>

#include "sidecar/base/result.h"

namespace fss {

struct KubeAccess {
  std::string server;          // "https://10.96.0.1:443", no slash at the end
  std::string ca_file;         // PEM; empty: the system's
  std::string token_file;      // empty: no token is sent
  std::string namespace_name;  // the pod's own; empty where it is not known

  // The token as it is now: projected tokens are replaced while the pod runs. kIo, kNotFound where
  // it cannot be read, kMalformed where it cannot be sent.
  Result<std::string> Token() const;
};

// What flags say; empty: as in a pod.
struct KubeAccessOptions {
  std::string server;
  std::string ca_file;
  std::string token_file;
};

// By the options, else KUBERNETES_SERVICE_HOST and _PORT and the files of the service account.
// kInvalidArgument where neither says where the API server is, or for a URL that is none. Call it
// before threads are started: it reads the environment.
Result<KubeAccess> FindKubeAccess(const KubeAccessOptions& options);

}  // namespace fss
