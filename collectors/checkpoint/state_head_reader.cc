#include "collectors/checkpoint/state_head_reader.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "collectors/checkpoint/state_description.h"

namespace fss {
namespace {

// Most descriptions fit into this; where one does not, the file is opened once more.
constexpr std::uint64_t kFirstTryBytes = 64U << 10U;

// Up to `bytes` bytes from where the description begins; fewer where the file is shorter.
Result<std::string> HeadBytes(ByteSource& source, std::uint64_t skipped, std::uint64_t bytes) {
  constexpr std::size_t kChunk = 64U << 10U;
  std::string head;
  while (head.size() < bytes) {
    const std::size_t used = head.size();
    head.resize(used + kChunk);
    const Result<std::size_t> got = source.Read({head.data() + used, kChunk});
    if (!got.ok()) return got.error();
    head.resize(used + std::min(*got, kChunk));
    if (*got == 0) break;
    const std::uint64_t dropped = std::min<std::uint64_t>(skipped, head.size());
    head.erase(0, static_cast<std::size_t>(dropped));
    skipped -= dropped;
  }
  if (head.size() > bytes) head.resize(static_cast<std::size_t>(bytes));
  return head;
}

// Puts the states described before those that `op` has, each name once.
void Take(StatesDescribed described, CheckpointOperator* op) {
  std::unordered_set<std::string> names;
  for (const CheckpointState& state : op->states) {
    if (state.scope == StateScope::kKeyed) names.insert(state.name);
  }
  std::vector<CheckpointState> states;
  for (CheckpointState& state : described.states) {
    if (names.insert(state.name).second) states.push_back(std::move(state));
  }
  std::ranges::move(op->states, std::back_inserter(states));
  op->states = std::move(states);
  op->keyed_states_known = described.complete;
  if (described.complete) op->keyed_head.reset();
}

struct HeadTry {
  StatesDescribed described;
  std::uint64_t bytes = 0;
};

Result<HeadTry> TryHead(ByteSource& source, std::int64_t offset, std::uint64_t bytes) {
  const auto skipped = static_cast<std::uint64_t>(std::max<std::int64_t>(offset, 0));
  const Result<std::string> head = HeadBytes(source, skipped, bytes);
  if (!head.ok()) return head.error();
  return HeadTry{DescribedKeyedStates(*head), head->size()};
}

Error NotUnderstood() {
  return Error{ErrorCode::kMalformed, "no description of keyed states at its head", ""};
}

// One head, opened with little first. What it cost is added to `*used`, whatever comes of it.
Status ReadHead(const std::string& address, CheckpointStore& store, std::uint64_t max_bytes,
                std::uint64_t* used, CheckpointOperator* op) {
  const auto offset = static_cast<std::uint64_t>(std::max<std::int64_t>(op->keyed_head->offset, 0));
  for (const std::uint64_t bytes : {kFirstTryBytes, kMaxStateHeadBytes}) {
    if (offset > max_bytes || offset + bytes > max_bytes - std::min(*used, max_bytes)) {
      return Error{ErrorCode::kTooLarge, "no bytes left to read state files", ""};
    }
    Result<std::unique_ptr<ByteSource>> source = store.Open(address, offset + bytes);
    if (!source.ok()) return source.error();
    Result<HeadTry> read = TryHead(**source, op->keyed_head->offset, bytes);
    *used += offset + (read.ok() ? read->bytes : bytes);
    if (!read.ok()) return read.error();
    const bool more = read->described.cut && read->bytes == bytes;
    if (more && bytes != kMaxStateHeadBytes) continue;
    if (read->described.states.empty() && !read->described.complete) return NotUnderstood();
    Take(std::move(read->described), op);
    break;
  }
  return OkStatus();
}

}  // namespace

Status ReadStateHead(ByteSource& source, CheckpointOperator* op) {
  const std::int64_t offset = op->keyed_head ? op->keyed_head->offset : 0;
  Result<HeadTry> read = TryHead(source, offset, kMaxStateHeadBytes);
  if (!read.ok()) return read.error();
  if (read->described.states.empty() && !read->described.complete) return NotUnderstood();
  Take(std::move(read->described), op);
  return OkStatus();
}

std::string StateHeadAddress(const std::string& folder, const StateHead& head) {
  if (!head.relative) return head.address;
  return folder.ends_with('/') ? folder + head.address : folder + "/" + head.address;
}

HeadsRead ReadStateHeads(const std::string& folder, CheckpointStore& store, std::uint64_t max_bytes,
                         CheckpointMetadata* metadata) {
  HeadsRead outcome;
  for (CheckpointOperator& op : metadata->operators) {
    if (!op.keyed_head) continue;
    const std::string address = StateHeadAddress(folder, *op.keyed_head);
    const Status read = ReadHead(address, store, max_bytes, &outcome.bytes, &op);
    if (read.ok()) {
      ++outcome.read;
      continue;
    }
    ++outcome.failed;
    if (outcome.first_error.empty()) outcome.first_error = address + ": " + read.error().ToString();
  }
  return outcome;
}

}  // namespace fss
