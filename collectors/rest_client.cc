#include "collectors/rest_client.h"

#include <utility>

namespace fss {

Result<RestAnswer> RestClient::Get(const std::string& path) {
  // Replaced before this returns: GetEach calls back exactly once per path.
  Result<RestAnswer> held = Error{ErrorCode::kUnreachable, "no answer", path};
  GetEach({path}, [&held](std::size_t, Result<RestAnswer> answer) { held = std::move(answer); });
  return held;
}

}  // namespace fss
