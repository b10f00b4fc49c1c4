// The compiled plans in a ConfigMap.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "collectors/kube/kube_object.h"

namespace fss {

// An entry for each key of `data` and `binaryData` (base64, perhaps gzipped); `key` is the
// ConfigMap's. However much it unpacks to, a plan is at most 16 MiB, a ConfigMap's at most 64.
// Sorted by key. Pure.
std::vector<PlanEntry> ReadPlanEntries(const rapidjson::Value& config_map, const std::string& key);

}  // namespace fss
