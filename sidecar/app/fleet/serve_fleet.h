// serve --kubernetes: finds clusters, polls them, exports all of them, until SIGTERM.
#pragma once

#include <signal.h>

namespace fss {

// `signals` end it; they are blocked in all threads. The exit code.
int ServeFleet(const sigset_t& signals);

}  // namespace fss
