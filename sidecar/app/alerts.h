// Alerts straight to Alertmanager, as the flags ask for them.
#pragma once

#include <memory>

#include "exporters/alertmanager/alert_sender.h"
#include "sidecar/base/clock.h"
#include "sidecar/base/result.h"

namespace fss {

// The sender of --alertmanager_url; nullptr without the flag. `port` is that of --listen: alerts
// point to it. kInvalidArgument names the flag. Trouble with an Alertmanager is logged, nothing
// else: polls and metrics go on.
Result<std::unique_ptr<AlertSender>> AlertSenderFromFlags(const Clock& clock, int port);

}  // namespace fss
