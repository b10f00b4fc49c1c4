// checkpoint: what a checkpoint or savepoint itself says, out of its `_metadata`.
#include <array>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "collectors/checkpoint/local_store.h"
#include "collectors/checkpoint/metadata_reader.h"
#include "collectors/checkpoint/state_head_reader.h"
#include "exporters/json/checkpoint_json.h"
#include "exporters/text/checkpoint_text.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/log.h"
#include "sidecar/app/terminal.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

// A thousand operators' heads; a person waits for it.
constexpr std::uint64_t kMaxHeadsBytes = 256U << 20U;

Result<CheckpointMetadata> Read(const fs::path& file) {
  auto source = OpenLocalFile(file.string(), std::numeric_limits<std::uint64_t>::max());
  if (!source.ok()) return source.error();
  return ReadCheckpointMetadata(**source);
}

int RunCheckpoint(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) {
    return UsageError("checkpoint takes one path: a checkpoint's folder or its _metadata");
  }
  const auto format = FormatFlag();
  if (!format.ok()) return UsageError(format.error().ToString());
  std::error_code error;
  fs::path file = arguments[0];
  if (fs::is_directory(file, error)) file /= "_metadata";

  Result<CheckpointMetadata> metadata = Read(file);
  if (!metadata.ok()) {
    return UsageError(Error{metadata.error().code, metadata.error().message, file}.ToString());
  }
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  LocalStore store(folder);
  const HeadsRead heads = ReadStateHeads(folder, store, kMaxHeadsBytes, &*metadata);
  if (heads.failed > 0) {
    Log(LogLevel::kWarn, "state files not read",
        {{"operators", std::to_string(heads.failed)}, {"error", heads.first_error}});
  }
  std::cout << (*format == OutputFormat::kJson
                    ? CheckpointJson(arguments[0], *metadata) + "\n"
                    : CheckpointText(arguments[0], *metadata, TerminalOptions()));
  std::cout.flush();
  return kExitClean;
}

constexpr auto kCheckpointFlags =
    std::to_array<std::string_view>({"format", "log_format", "log_level"});

}  // namespace

const Verb kCheckpointVerb = {"checkpoint", "PATH [flags]",
                              "Shows sizes, states and TTL on or off per operator of a checkpoint "
                              "or savepoint (its folder or _metadata).",
                              kCheckpointFlags, RunCheckpoint};

}  // namespace fss
