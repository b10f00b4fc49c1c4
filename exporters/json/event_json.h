// Events of events.k8s.io/v1. Pure; safe from any thread.
#pragma once

#include <string>

#include "exporters/kubernetes/event_book.h"

namespace fss {

// The object to create. `instance` names this process.
std::string EventJson(const KubeEventRecord& record, const std::string& instance);
// A merge patch of its series.
std::string EventSeriesJson(const KubeEventRecord& record);

}  // namespace fss
