#include "tests/bench/checkpoint/metadata_writer.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/unit/collectors/checkpoint/snapshot_bytes.h"

namespace fss {
namespace {

constexpr std::int64_t kFileBytes = 64LL << 20;
constexpr std::int32_t kKeyGroups = 32'768;

// "%08x"-like parts of names, as Flink's UUIDs are long.
std::string Name(std::uint64_t number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%08x-7c1d-4e9a-b0c2-%012llx",
                static_cast<unsigned>(number * 2654435761U),
                static_cast<unsigned long long>(number));
  return text.data();
}

void WriteFile(std::uint64_t number, JavaBytes* out) {
  out->Text(Name(number) + ".sst").U8(2).I64(kFileBytes);
  out->Text("s3://checkpoints-of-production/flink/0f3c6a2b9d5e4178a6b0c1d2e3f40516/shared/" +
            Name(number + 1));
}

void WriteSubtask(std::int32_t index, const LargeJob& job, const std::string& description,
                  JavaBytes* out) {
  const std::int32_t groups = kKeyGroups / job.subtasks;
  out->I32(index).I32(0).I32(0);
  out->U8(11).I64(7).Text("1c2d3e4f-0000-4000-8000-000000000000").I32(index * groups).I32(groups);
  out->I64(kFileBytes);
  out->U8(1).Text("s3://meta").Framed(description);
  for (const int files : {job.files, 3}) {
    out->I32(files);
    for (int f = 0; f < files; ++f) {
      WriteFile(static_cast<std::uint64_t>(index) * 1'000'000 + static_cast<unsigned>(f), out);
    }
  }
  out->Text("id of the handle").U8(0).I32(0).I32(0);
}

void WriteOperator(int number, const LargeJob& job, const std::string& description,
                   JavaBytes* out) {
  out->Text("Join[" + std::to_string(number) + "]").Text(std::to_string(number) + "_join");
  out->I64(number).I64(-number).I32(job.subtasks).I32(kKeyGroups).U8(0).I32(job.subtasks);
  for (std::int32_t i = 0; i < job.subtasks; ++i) WriteSubtask(i, job, description, out);
}

std::string Description() {
  const std::string map = MapSnapshot(SimpleSnapshot(), TtlSnapshot(SimpleSnapshot()));
  return KeyedDescription(
      {KeyedState("left-records", "MAP", map), KeyedState("right-records", "MAP", map),
       Timers("_timer_state/event_user-timers"), Timers("_timer_state/processing_user-timers")});
}

}  // namespace

std::string WriteLargeMetadata(const LargeJob& wanted) {
  LargeJob job = wanted;
  const std::string description = Description();
  if (job.files == 0) {
    JavaBytes one;
    WriteFile(1, &one);
    const std::uint64_t of_subtask =
        job.bytes / static_cast<std::uint64_t>(job.operators * job.subtasks);
    const std::uint64_t rest = description.size() + 200 + 3 * one.bytes().size();
    job.files = static_cast<int>(
        of_subtask > rest ? std::max<std::uint64_t>((of_subtask - rest) / one.bytes().size(), 1)
                          : 1);
  }
  JavaBytes out;
  out.I32(0x4960672D).I32(6).I64(41).I32(0).I32(job.operators);
  for (int number = 1; number <= job.operators; ++number) {
    WriteOperator(number, job, description, &out);
  }
  out.U16(0xACED).U16(5).U8(0x70);  // no properties, as a Java object
  return out.bytes();
}

}  // namespace fss
