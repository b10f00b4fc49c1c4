#include "collectors/checkpoint/metadata_reader.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "collectors/checkpoint/byte_reader.h"
#include "collectors/checkpoint/data_reader.h"
#include "collectors/checkpoint/java_object.h"
#include "collectors/checkpoint/operator_reader.h"

namespace fss {
namespace {

constexpr std::int32_t kMagic = 0x4960672D;
constexpr std::int32_t kMasterStateMagic = static_cast<std::int32_t>(0xC96B1696);

constexpr int kOldestFormat = 2;
constexpr int kNewestFormat = 6;
constexpr int kFirstWithProperties = 4;

// The properties are one Java object of a few hundred bytes.
constexpr std::uint64_t kMaxPropertiesBytes = 64U << 10U;

constexpr std::string_view kSavepointType = "org.apache.flink.runtime.checkpoint.SavepointType";
constexpr std::string_view kCheckpointType = "org.apache.flink.runtime.checkpoint.CheckpointType";

// State of checkpoint hooks: nothing of it is of interest.
void SkipMasterState(DataReader* in) {
  if (in->I32("the mark of a master state") != kMasterStateMagic) {
    in->Fail("no master state where one should begin");
  }
  const std::uint64_t length = in->Length("the length of a master state");
  const std::uint64_t begin = in->offset();
  in->I32("the version of a master state");
  in->SkipText("the name of a master state");
  in->Skip(in->Length("the length of a master state's bytes"), "a master state's bytes");
  if (in->ok() && in->offset() != begin + length) {
    in->Fail("a master state that does not fill its " + std::to_string(length) + " bytes");
  }
}

// Absent where the properties are null (savepoints that the State Processor API wrote).
std::optional<bool> ReadProperties(DataReader* in) {
  std::string bytes;
  if (in->left() > kMaxPropertiesBytes) in->Fail("more bytes than checkpoint properties take");
  in->Append(in->left(), &bytes, "the checkpoint properties");
  if (!in->ok()) return std::nullopt;
  std::optional<bool> savepoint;
  ByteReader properties(bytes);
  SkipJavaObject(&properties, [&](std::string_view class_name) {
    if (class_name == kSavepointType) savepoint = true;
    if (class_name == kCheckpointType) savepoint = false;
  });
  if (!properties.ok()) in->Fail("the checkpoint properties are broken or cut");
  if (!properties.rest().empty()) in->Fail("bytes behind the checkpoint properties");
  return savepoint;
}

Result<CheckpointMetadata> Read(DataReader* in) {
  CheckpointMetadata metadata;
  const std::int32_t magic = in->I32("the mark of a checkpoint");
  if (in->ok() && magic != kMagic) in->Fail("no checkpoint's or savepoint's _metadata");
  metadata.version = in->I32("the format");
  if (!in->ok()) return in->error();
  if (metadata.version < kOldestFormat || metadata.version > kNewestFormat) {
    return Error{ErrorCode::kInvalidArgument,
                 "_metadata of format " + std::to_string(metadata.version) + "; 2 to 6 are read",
                 ""};
  }
  metadata.checkpoint_id = in->I64("the checkpoint's id");
  if (metadata.checkpoint_id < 0) in->Fail("a negative checkpoint id");

  constexpr std::uint64_t kLeastMasterStateBytes = 18;
  const std::int32_t masters = in->Count(kLeastMasterStateBytes, "the number of master states");
  for (std::int32_t i = 0; i < masters && in->ok(); ++i) SkipMasterState(in);

  const std::int32_t operators = in->Count(kLeastOperatorBytes, "the number of operators");
  for (std::int32_t i = 0; i < operators && in->ok(); ++i) {
    metadata.operators.push_back(ReadOperator(metadata.version, in));
  }
  if (metadata.version >= kFirstWithProperties) metadata.savepoint = ReadProperties(in);
  if (in->ok() && !in->AtEnd()) in->Fail("bytes behind the end of the _metadata");
  if (!in->ok()) return in->error();
  std::ranges::sort(metadata.operators, {}, &CheckpointOperator::operator_id);
  return metadata;
}

}  // namespace

Result<CheckpointMetadata> ReadCheckpointMetadata(ByteSource& source) {
  // On the heap: it holds a buffer.
  const auto in = std::make_unique<DataReader>(source);
  return Read(in.get());
}

}  // namespace fss
