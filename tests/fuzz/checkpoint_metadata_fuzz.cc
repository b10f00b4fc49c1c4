// Feeds bytes to the readers of checkpoints: as a `_metadata`, and as the head of a state file.
// Whatever they are, the readers return, what they tell is sound, and the memory they hold at any
// moment stays below the input's size times a constant.
#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include "collectors/checkpoint/metadata_reader.h"
#include "collectors/checkpoint/state_head_reader.h"
#include "sidecar/base/text.h"

namespace {

// The least bytes that make a state: 7; what is held for it: about 250 with growing vectors.
constexpr std::size_t kHeldPerByte = 64;
constexpr std::size_t kHeldAnyway = 256U << 10U;  // the reader's buffer, twice for a head

void Require(bool holds) {
  if (!holds) std::abort();
}

// Bytes allocated and not freed since Begin, and their greatest number.
std::size_t held = 0;
std::size_t most_held = 0;
bool counting = false;

void OnMalloc(const volatile void* /*block*/, std::size_t size) {
  if (!counting) return;
  held += size;
  most_held = std::max(most_held, held);
}

void OnFree(const volatile void* block) {
  if (!counting || block == nullptr) return;
  const std::size_t size = __sanitizer_get_allocated_size(const_cast<const void*>(block));
  held -= std::min(held, size);
}

class Counting {
 public:
  explicit Counting(std::size_t input) : input_(input) {
    static const int installed = __sanitizer_install_malloc_and_free_hooks(OnMalloc, OnFree);
    Require(installed != 0);
    held = most_held = 0;
    counting = true;
  }
  ~Counting() {
    counting = false;
    Require(most_held <= kHeldAnyway + kHeldPerByte * input_);
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

 private:
  std::size_t input_;
};

class FuzzSource : public fss::ByteSource {
 public:
  FuzzSource(std::string_view bytes, std::size_t piece, std::uint64_t size)
      : bytes_(bytes), piece_(piece), size_(size) {}
  fss::Result<std::size_t> Read(std::span<char> into) override {
    const std::size_t bytes = std::min({into.size(), piece_, bytes_.size()});
    std::memcpy(into.data(), bytes_.data(), bytes);
    bytes_.remove_prefix(bytes);
    return bytes;
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  std::string_view bytes_;
  std::size_t piece_;
  std::uint64_t size_;
};

void CheckState(const fss::CheckpointState& state) {
  Require(fss::ValidUtf8(state.name) == state.name);
  Require(state.kind != fss::StateKind::kTimers || state.scope == fss::StateScope::kKeyed);
}

void CheckOperator(const fss::CheckpointOperator& op) {
  Require(op.operator_id.size() == 32);
  Require(op.parallelism >= 0 && op.parallelism <= op.max_parallelism);
  Require(!op.keyed_states_known || !op.keyed_head);
  Require(fss::ValidUtf8(op.name) == op.name && fss::ValidUtf8(op.uid) == op.uid);
  std::ranges::for_each(op.states, CheckState);
}

void CheckError(const fss::Error& error) {
  Require(!error.message.empty() && error.message.size() < 200);
  Require(error.code == fss::ErrorCode::kMalformed ||
          error.code == fss::ErrorCode::kInvalidArgument);
}

void AsMetadata(std::string_view bytes, std::size_t piece, std::uint64_t size) {
  FuzzSource source(bytes, piece, size);
  const fss::Result<fss::CheckpointMetadata> metadata = fss::ReadCheckpointMetadata(source);
  if (!metadata.ok()) {
    CheckError(metadata.error());
    return;
  }
  Require(metadata->version >= 2 && metadata->version <= 6 && metadata->checkpoint_id >= 0);
  Require(std::ranges::is_sorted(metadata->operators, {}, &fss::CheckpointOperator::operator_id));
  std::ranges::for_each(metadata->operators, CheckOperator);
}

void AsStateHead(std::string_view bytes, std::size_t piece) {
  FuzzSource source(bytes, piece, bytes.size());
  fss::CheckpointOperator op;
  op.keyed_states_known = false;
  op.keyed_head = fss::StateHead{};
  const fss::Status read = fss::ReadStateHead(source, &op);
  if (!read.ok()) CheckError(read.error());
  Require(read.ok() || op.states.empty());
  std::ranges::for_each(op.states, CheckState);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t piece = size % 5 == 0 ? 7 : 1U << 20U;
  // A place that claims more than it holds must cost no more.
  const std::uint64_t claimed = size % 7 == 0 ? std::uint64_t{1} << 40U : size;
  const Counting counting_now(size);
  AsMetadata(bytes, piece, claimed);
  AsStateHead(bytes, piece);
  return 0;
}
