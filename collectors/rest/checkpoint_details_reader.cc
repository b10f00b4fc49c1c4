#include "collectors/rest/checkpoint_details_reader.h"

#include <utility>

#include "collectors/rest/checkpoint_row.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

constexpr const char* kAnother = "the details are those of another checkpoint";

bool SameCheckpoint(const CompletedCheckpoint& a, const CompletedCheckpoint& b) {
  return a.id == b.id && a.savepoint == b.savepoint && a.trigger_ms == b.trigger_ms &&
         a.state_size == b.state_size && a.external_path == b.external_path;
}

}  // namespace

Result<CompletedCheckpoint> ReadCheckpointDetails(RestAnswer answer,
                                                  const CompletedCheckpoint& row) {
  Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  auto checkpoint = ReadCompletedRow(json->root());
  if (!checkpoint) {
    return Error{ErrorCode::kMalformed, "not the details of a completed checkpoint", ""};
  }
  if (!SameCheckpoint(*checkpoint, row)) {
    return Error{ErrorCode::kMalformed, kAnother, ""};
  }
  ReadVertexSizes(json->root(), &*checkpoint);
  return std::move(*checkpoint);
}

bool SaysAnotherCheckpoint(const Error& error) { return error.message == kAnother; }

}  // namespace fss
