// A job's sizes over time, thinned for the report.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sidecar/analysis/job_sizes.h"
#include "sidecar/model/report.h"
#include "sidecar/model/size_history.h"

namespace fss {

// Of each operator with a size: at most so many points, evenly over the time that is known.
inline constexpr std::size_t kPicturePoints = 32;
// Of a cluster: where more operators have sizes, only those that rise or fall get a picture. A
// picture takes 264 bytes.
inline constexpr std::size_t kMostPictures = 2048;

enum class Pictures { kAll, kMovingOnly };

// nullptr where there is none to show. Pure.
std::shared_ptr<const SizeHistory> PicturesOf(const JobSizes& sizes,
                                              const std::vector<OperatorReport>& operators,
                                              Pictures which);

}  // namespace fss
