// How fast a large `_metadata` is read, out of memory and out of a file, and what is held
// meanwhile. `checkpoint_bench --write=FILE` writes that file and leaves: for Flink's own loader
// (compare.py does both).
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "collectors/checkpoint/local_store.h"
#include "collectors/checkpoint/metadata_reader.h"
#include "tests/bench/checkpoint/metadata_writer.h"

namespace fss {
namespace {

const std::string& Bytes() {
  static const std::string bytes = WriteLargeMetadata(LargeJob());
  return bytes;
}

class ViewSource : public ByteSource {
 public:
  explicit ViewSource(std::string_view bytes) : bytes_(bytes), size_(bytes.size()) {}
  Result<std::size_t> Read(std::span<char> into) override {
    const std::size_t bytes = std::min(into.size(), bytes_.size());
    std::memcpy(into.data(), bytes_.data(), bytes);
    bytes_.remove_prefix(bytes);
    return bytes;
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  std::string_view bytes_;
  std::uint64_t size_;
};

std::size_t HeapBytes() { return mallinfo2().uordblks; }

void Finish(const Result<CheckpointMetadata>& metadata, benchmark::State& state) {
  if (!metadata.ok() || metadata->operators.empty()) {
    state.SkipWithError(metadata.ok() ? "no operators" : metadata.error().ToString().c_str());
  }
}

void ReadFromMemory(benchmark::State& state) {
  const std::string& bytes = Bytes();
  std::size_t kept = 0;
  for (auto _ : state) {
    const std::size_t before = HeapBytes();
    ViewSource source(bytes);
    const Result<CheckpointMetadata> metadata = ReadCheckpointMetadata(source);
    kept = HeapBytes() - before;
    Finish(metadata, state);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
  state.counters["kept_bytes"] = static_cast<double>(kept);
}
BENCHMARK(ReadFromMemory)->Unit(benchmark::kMillisecond);

void ReadFromFile(benchmark::State& state) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "checkpoint_bench._metadata").string();
  std::ofstream(path, std::ios::binary) << Bytes();
  for (auto _ : state) {
    auto source = OpenLocalFile(path, std::numeric_limits<std::uint64_t>::max());
    if (!source.ok()) {
      state.SkipWithError(source.error().ToString().c_str());
      break;
    }
    Finish(ReadCheckpointMetadata(**source), state);
  }
  std::filesystem::remove(path);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * Bytes().size()));
}
BENCHMARK(ReadFromFile)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fss

int main(int count, char** arguments) {
  const std::string_view write = "--write=";
  if (count == 2 && std::string_view(arguments[1]).starts_with(write)) {
    const std::string path = arguments[1] + write.size();
    std::ofstream out(path, std::ios::binary);
    out << fss::WriteLargeMetadata(fss::LargeJob());
    return out.good() ? 0 : 1;
  }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
