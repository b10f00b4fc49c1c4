// Alertmanager's API over libcurl (docs/adr/0007-libcurl-for-alertmanager.md).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "exporters/alertmanager/alert_poster.h"
#include "sidecar/base/result.h"

namespace fss {

struct AlertmanagerOptions {
  // Base URLs, one for each Alertmanager of a cluster, all of which get everything. A user and a
  // password become basic authentication; a path is kept ("https://host/alertmanager").
  std::vector<std::string> urls;
  std::chrono::milliseconds timeout{5000};  // of one POST, connecting included
  std::string ca_file;                      // PEM; empty: the system's
};

// POSTs to /api/v2/alerts of each Alertmanager. They are served at once, and each on its own: one
// that is down, slow, or answers 400 or 500 takes nothing from the others. After an answer with
// another status than 2xx its next body is still sent; after a time-out or a broken connection
// its turn is over. Redirects are not followed, proxies of the environment not used. Credentials
// are in no error. kInvalidArgument for a URL that is none, and for a CA file that cannot be read;
// kIo when libcurl4 is not installed.
Result<std::unique_ptr<AlertPoster>> NewAlertmanagerClient(const AlertmanagerOptions& options);

}  // namespace fss
