// Leases as the API server has them. Pure; safe from any thread.
#pragma once

#include <string>

#include "collectors/kube/kube_http.h"
#include "sidecar/base/result.h"
#include "sidecar/model/lease.h"

namespace fss {

// kNotFound, kHttpStatus with the server's words; kMalformed.
Result<Lease> ReadLease(KubeAnswer answer);
// The object to create (no resource version) or to put in the place of the one that was read.
std::string LeaseJson(const Lease& lease, const std::string& namespace_name,
                      const std::string& name);

}  // namespace fss
