// The grading of a lab folder.
#pragma once

#include <span>
#include <vector>

#include "sidecar/model/lab.h"

namespace fss {

// The eight steps, in order, each with pass or fail and the reason. Pure; safe from any thread.
std::vector<LabStep> GradeLab(const LabFolder& folder, std::span<const LabOrder> orders);

}  // namespace fss
