// The verbs, for verb_list.cc. Each is described in its own file.
#pragma once

#include "sidecar/app/verb.h"

namespace fss {

extern const Verb kServeVerb;
extern const Verb kScanVerb;
extern const Verb kLintVerb;
extern const Verb kDiffVerb;
extern const Verb kCheckpointVerb;
extern const Verb kReportVerb;
extern const Verb kGradeVerb;
extern const Verb kReplayVerb;
extern const Verb kHealthVerb;

}  // namespace fss
