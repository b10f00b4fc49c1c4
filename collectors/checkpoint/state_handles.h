// State handles in a `_metadata`: where a subtask's state lies, and how large it is.
//
// Sizes are added up as Flink's own classes do it (getStateSize, getCheckpointedSize): a file that
// several handles share counts once for each. Troubles go to the DataReader. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/checkpoint/data_reader.h"
#include "sidecar/model/checkpoint_metadata.h"

namespace fss {

struct HandleSizes {
  std::int64_t state = 0;
  std::int64_t checkpointed = 0;
};

// What a handle says of the head of its bytes, where the states are described.
struct HeadSeen {
  std::optional<std::string> bytes;  // inlined; at most kMaxStateHeadBytes of them
  std::optional<StateHead> file;     // or in a file

  [[nodiscard]] bool any() const { return bytes.has_value() || file.has_value(); }
};

class StateHandles {
 public:
  explicit StateHandles(DataReader* in) : in_(*in) {}

  // Each reads one handle and adds its sizes. `head`, where not null and still empty, gets the
  // head. False where there is no handle (null), or after a failure.
  bool Keyed(HandleSizes* sizes, HeadSeen* head);
  // Also appends the states that the handle's partitions name.
  bool Operator(HandleSizes* sizes, HeadSeen* head, std::vector<CheckpointState>* states);

  // One handle of in-flight data. `merged_kind`: format 6, where a tag goes before it and several
  // channels may share one handle; what the tag of a merged one is. Absent: formats 3 to 5.
  void Channel(std::optional<std::uint8_t> merged_kind, HandleSizes* sizes);

  // An operator coordinator's state: bytes that are inlined, or null.
  std::optional<std::int64_t> Coordinator();

 private:
  // A stream's handle; its size, or nullopt for null.
  std::optional<std::int64_t> Stream(HeadSeen* head, int depth);
  std::optional<std::int64_t> Stream(std::uint8_t kind, HeadSeen* head, int depth);
  std::int64_t Inlined(HeadSeen* head);
  std::int64_t File(HeadSeen* head);
  std::int64_t RelativeFile(HeadSeen* head);
  std::int64_t Segment(HeadSeen* head);
  std::optional<std::int64_t> KeyGroups(HeadSeen* head, int depth);

  bool Keyed(HandleSizes* sizes, HeadSeen* head, int depth);
  void KeyedOfKind(std::uint8_t kind, HandleSizes* sizes, HeadSeen* head, int depth);
  void Incremental(bool second_version, HandleSizes* sizes, HeadSeen* head);
  void Files(HandleSizes* sizes);
  void Changelog(bool second_version, HandleSizes* sizes, HeadSeen* head, int depth);
  void InlinedChanges(HandleSizes* sizes);
  void ChangeFiles(bool second_version, HandleSizes* sizes);
  void Partitions(std::vector<CheckpointState>* states);

  void KeyGroupRange();
  // A size that was written: never below `least`.
  std::int64_t Size(const char* what, std::int64_t least = 0);
  void Add(std::int64_t bytes, std::int64_t* sum);
  void AddBoth(std::int64_t bytes, HandleSizes* sizes);
  void Offsets(const char* what);
  bool TooDeep(int depth);

  DataReader& in_;
};

}  // namespace fss
