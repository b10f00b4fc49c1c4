#include "collectors/checkpoint/operator_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collectors/checkpoint/state_description.h"
#include "collectors/checkpoint/state_handles.h"

namespace fss {
namespace {

// The formats' differences.
constexpr int kFirstWithCoordinator = 3;  // and in-flight data, finished subtasks
constexpr int kFirstWithName = 5;
constexpr int kFirstWithMerged = 6;

// What the tags of merged in-flight data are, in format 6.
constexpr std::uint8_t kMergedInput = 3;
constexpr std::uint8_t kMergedOutput = 4;

// Subtasks describe the same states, as a rule in the same bytes. Descriptions that differ are
// looked into up to this number, so that a state which only some subtasks have is seen.
constexpr std::size_t kMaxDescriptions = 8;

std::string Hex(std::uint64_t high, std::uint64_t low) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t half : {high, low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text.push_back(kDigits[(half >> shift) & 0xFU]);
  }
  return text;
}

// The states of one scope that subtask after subtask tells, each once.
class StateNames {
 public:
  void Add(std::vector<CheckpointState> states) {
    for (CheckpointState& state : states) {
      if (index_.try_emplace(state.name, states_.size()).second) {
        states_.push_back(std::move(state));
      }
    }
  }
  // Fills in what the states described are known to be.
  void Describe(const std::vector<CheckpointState>& described) {
    for (const CheckpointState& known : described) {
      const auto found = index_.find(known.name);
      if (found != index_.end()) states_[found->second].ttl_enabled = known.ttl_enabled;
    }
  }
  void MoveTo(std::vector<CheckpointState>* states) {
    std::ranges::move(states_, std::back_inserter(*states));
  }

 private:
  std::vector<CheckpointState> states_;
  std::unordered_map<std::string, std::size_t> index_;
};

// Descriptions of states, each looked into once.
class Descriptions {
 public:
  // Where the next head is to be put; nullptr when enough was seen.
  HeadSeen* Next() {
    head_ = {};
    return seen_.size() < kMaxDescriptions ? &head_ : nullptr;
  }
  // The states that the head put there describes, by `read`; none where it was seen before.
  StatesDescribed Read(StatesDescribed (*read)(std::string_view)) {
    // Of merged files the one to read least of: what lies before the head has to be passed by.
    if (head_.file && (!file_ || head_.file->offset < file_->offset)) file_ = head_.file;
    if (!head_.bytes) return {};
    const std::size_t hash = std::hash<std::string>()(*head_.bytes);
    if (std::ranges::find(seen_, hash) != seen_.end()) return {};
    seen_.push_back(hash);
    return read(*head_.bytes);
  }
  const std::optional<StateHead>& file() const { return file_; }

 private:
  HeadSeen head_;
  std::optional<StateHead> file_;
  std::vector<std::size_t> seen_;
};

class OperatorReader {
 public:
  OperatorReader(int format, DataReader* in) : format_(format), in_(*in), handles_(in) {}

  CheckpointOperator Read();

 private:
  void Header();
  void Subtasks();
  void Subtask();
  void OperatorState();
  HandleSizes RawOperatorState();
  void KeyedState();
  void InFlight();
  void Account(const HandleSizes& sizes, std::int64_t* part);
  void Add(std::int64_t bytes, std::int64_t* sum);
  // The index of the next subtask, which each has once; nullopt where it had finished.
  std::optional<std::int32_t> SubtaskIndex();
  void NoteIndex(std::int32_t index);
  void CheckIndexes();
  void Finish();

  int format_;
  DataReader& in_;
  StateHandles handles_;
  CheckpointOperator op_;
  std::vector<std::int32_t> indexes_;
  bool has_keyed_ = false;
  bool keyed_complete_ = false;
  StateNames keyed_names_;
  StateNames operator_names_;
  Descriptions keyed_;
  Descriptions operator_;
};

void OperatorReader::Add(std::int64_t bytes, std::int64_t* sum) {
  if (__builtin_add_overflow(*sum, bytes, sum)) in_.Fail("sizes add up to more than 2^63 bytes");
}

void OperatorReader::Account(const HandleSizes& sizes, std::int64_t* part) {
  Add(sizes.state, part);
  Add(sizes.state, &op_.size_bytes);
  Add(sizes.checkpointed, &op_.checkpointed_bytes);
}

void OperatorReader::Header() {
  if (format_ >= kFirstWithName) {
    op_.name = in_.Text("the name of an operator");
    op_.uid = in_.Text("the uid of an operator");
  }
  const auto high = static_cast<std::uint64_t>(in_.I64("the id of an operator"));
  const auto low = static_cast<std::uint64_t>(in_.I64("the id of an operator"));
  op_.operator_id = Hex(high, low);
  op_.parallelism = in_.I32("the parallelism of an operator");
  op_.max_parallelism = in_.I32("the maximum parallelism of an operator");
  if (op_.parallelism < 0 || op_.parallelism > op_.max_parallelism) {
    in_.Fail("a parallelism of " + std::to_string(op_.parallelism) + ", at most " +
             std::to_string(op_.max_parallelism));
  }
  if (format_ < kFirstWithCoordinator) {
    in_.I32("the length of a chain");  // unused since Flink 1.3
    return;
  }
  op_.coordinator_bytes = handles_.Coordinator();
  const HandleSizes sizes{op_.coordinator_bytes.value_or(0), op_.coordinator_bytes.value_or(0)};
  std::int64_t coordinator = 0;
  Account(sizes, &coordinator);
}

void OperatorReader::NoteIndex(std::int32_t index) {
  if (index >= op_.parallelism) {
    in_.Fail("subtask " + std::to_string(index) + " of an operator that has " +
             std::to_string(op_.parallelism));
  }
  indexes_.push_back(index);
}

std::optional<std::int32_t> OperatorReader::SubtaskIndex() {
  const std::int32_t index = in_.I32("the index of a subtask");
  if (index >= 0) {
    NoteIndex(index);
    return index;
  }
  if (format_ < kFirstWithCoordinator) in_.Fail("a subtask with a negative index");
  NoteIndex(-(index + 1));
  return std::nullopt;
}

void OperatorReader::CheckIndexes() {
  std::ranges::sort(indexes_);
  if (std::ranges::adjacent_find(indexes_) != indexes_.end())
    in_.Fail("a subtask that is there twice");
}

void OperatorReader::OperatorState() {
  HandleSizes sizes;
  std::vector<CheckpointState> states;
  if (handles_.Operator(&sizes, operator_.Next(), &states)) {
    operator_names_.Add(std::move(states));
    operator_names_.Describe(operator_.Read(DescribedOperatorStates).states);
  }
  Account(sizes, &op_.managed_operator_bytes);
}

void OperatorReader::KeyedState() {
  HandleSizes sizes;
  if (handles_.Keyed(&sizes, keyed_.Next())) {
    has_keyed_ = true;
    StatesDescribed described = keyed_.Read(DescribedKeyedStates);
    keyed_complete_ = keyed_complete_ || described.complete;
    keyed_names_.Add(std::move(described.states));
  }
  Account(sizes, &op_.managed_keyed_bytes);
}

HandleSizes OperatorReader::RawOperatorState() {
  HandleSizes sizes;
  std::vector<CheckpointState> unnamed;  // streams of an operator's own: no states
  handles_.Operator(&sizes, nullptr, &unnamed);
  return sizes;
}

void OperatorReader::InFlight() {
  const bool merged = format_ >= kFirstWithMerged;
  for (const std::uint8_t merged_kind : {kMergedInput, kMergedOutput}) {
    constexpr std::uint64_t kLeastBytes = 14;  // a merged handle without a stream and offsets
    const std::int32_t count = in_.Count(kLeastBytes, "the number of in-flight handles");
    for (std::int32_t i = 0; i < count && in_.ok(); ++i) {
      HandleSizes sizes;
      handles_.Channel(merged ? std::optional(merged_kind) : std::nullopt, &sizes);
      Account(sizes, &op_.channel_bytes);
    }
  }
}

void OperatorReader::Subtask() {
  if (format_ < kFirstWithCoordinator) {
    in_.I64("the duration of a subtask");
    if (in_.I32("the number of legacy states") != 0) in_.Fail("state of Flink 1.1 or before");
  }
  if (in_.I32("whether there is operator state") != 0) OperatorState();
  if (in_.I32("whether there is raw operator state") != 0) {
    Account(RawOperatorState(), &op_.raw_operator_bytes);
  }
  KeyedState();
  HandleSizes raw;
  handles_.Keyed(&raw, nullptr);
  Account(raw, &op_.raw_keyed_bytes);
  if (format_ >= kFirstWithCoordinator) InFlight();
}

void OperatorReader::Subtasks() {
  const std::int32_t count = in_.I32("the number of subtasks");
  if (count < 0) {
    op_.fully_finished = true;
    if (format_ < kFirstWithCoordinator) in_.Fail("a negative number of subtasks");
    if (op_.coordinator_bytes) in_.Fail("a coordinator's state of a finished operator");
    return;
  }
  if (count > op_.parallelism) {
    in_.Fail(std::to_string(count) + " subtasks of an operator that has " +
             std::to_string(op_.parallelism));
  }
  for (std::int32_t i = 0; i < count && in_.ok(); ++i) {
    if (SubtaskIndex()) Subtask();
  }
  CheckIndexes();
}

void OperatorReader::Finish() {
  op_.keyed_states_known = !has_keyed_ || keyed_complete_;
  if (!op_.keyed_states_known) op_.keyed_head = keyed_.file();
  keyed_names_.MoveTo(&op_.states);
  operator_names_.MoveTo(&op_.states);
}

CheckpointOperator OperatorReader::Read() {
  Header();
  Subtasks();
  Finish();
  return std::move(op_);
}

}  // namespace

CheckpointOperator ReadOperator(int format, DataReader* in) {
  return OperatorReader(format, in).Read();
}

}  // namespace fss
