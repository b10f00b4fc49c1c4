// Answers of the Kubernetes API server: lists, events of a watch, refusals. Text in, values out.
//
// Untrusted: whoever may write objects may write anything into them. Pure; safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/kube/kube_http.h"
#include "collectors/kube/kube_object.h"
#include "sidecar/base/result.h"

namespace fss {

struct KubePage {
  std::vector<KubeObject> objects;
  std::string resource_version;
  std::string continue_token;  // empty: this is the last page
};

// A page of a list. kHttpStatus, kNotFound with the server's own words; kMalformed for what is
// none.
Result<KubePage> ReadKubePage(KubeKind kind, KubeAnswer answer);

struct KubeEvent {
  enum class Type { kAdded, kModified, kDeleted, kBookmark, kError };
  Type type = Type::kError;
  KubeObject object;    // of a bookmark: its resource version alone
  int code = 0;         // of an error: the HTTP status that it stands for; 0 where it has none
  std::string message;  // of an error
};

// A line of a watch. kMalformed.
Result<KubeEvent> ReadKubeEvent(KubeKind kind, std::string_view line);

// The Error for an answer whose status is not 2xx.
Error KubeRefusal(const KubeAnswer& answer);

}  // namespace fss
