#include "exporters/text/checkpoint_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/exporters/golden.h"
#include "tests/unit/exporters/sample_checkpoint.h"

namespace fss {
namespace {

using testing::HasSubstr;

TEST(CheckpointText, IsWhatPeopleRead) {
  ExpectGolden("checkpoint.txt", CheckpointText("chk-41", SampleCheckpoint(), TextOptions()));
}

TEST(CheckpointText, WithoutOperators) {
  CheckpointMetadata metadata;
  metadata.version = 3;
  metadata.savepoint = true;
  const std::string text = CheckpointText("chk-1", metadata, TextOptions());
  EXPECT_THAT(text, HasSubstr("chk-1  savepoint 0  format 3  0 operators\n"));
  EXPECT_THAT(text, HasSubstr("in all 0 B"));
}

TEST(CheckpointText, HostileSizesAndNamesDoNoHarm) {
  CheckpointMetadata metadata = SampleCheckpoint();
  for (CheckpointOperator& op : metadata.operators) {
    op.size_bytes = std::numeric_limits<std::int64_t>::max();
    op.name = "\x1b[2J\a";
  }
  const std::string text = CheckpointText("\x1b]0;x\a", metadata, TextOptions());
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\a'), std::string::npos);
  EXPECT_THAT(text, HasSubstr("in all 8 EiB"));
}

}  // namespace
}  // namespace fss
