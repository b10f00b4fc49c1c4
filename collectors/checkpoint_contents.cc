#include "collectors/checkpoint_contents.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "collectors/checkpoint/metadata_reader.h"
#include "collectors/checkpoint/state_head_reader.h"

namespace fss {
namespace {

constexpr std::uint64_t kBytesPerPoll = 128U << 20U;
constexpr std::int64_t kMillisPerPoll = 2000;
// A job's checkpoints are read no faster than this, in the mean.
constexpr std::int64_t kBytesPerMilli = 1 << 10;
// After trouble: twice as long each time.
constexpr std::int64_t kFirstPauseMillis = 15'000;
constexpr std::int64_t kLongestPauseMillis = 300'000;
// A checkpoint may be gone before it is read, when the next one is there: then and again.
constexpr int kUsualMisses = 5;
constexpr int kLaterTried = 2;

std::int64_t LongerPause(std::int64_t pause_ms) {
  return std::clamp(2 * pause_ms, kFirstPauseMillis, kLongestPauseMillis);
}

// "<checkpoint-not-externally-addressable>": in the JobManager's memory.
bool IsAddress(const std::string& path) { return !path.empty() && path.front() != '<'; }

bool Missing(const Result<CheckpointMetadata>& metadata) {
  return !metadata.ok() && metadata.error().code == ErrorCode::kNotFound;
}

// "…/chk-43" for "…/chk-41" and 2; absent for what is not called so.
std::optional<std::string> LaterCheckpoint(const std::string& folder, int later) {
  constexpr std::string_view kName = "/chk-";
  const std::size_t at = folder.rfind(kName);
  if (at == std::string::npos) return std::nullopt;
  const std::string_view digits = std::string_view(folder).substr(at + kName.size());
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
  if (error != std::errc() || end != digits.data() + digits.size() || id < 0 || id > kMost) {
    return std::nullopt;
  }
  return folder.substr(0, at + kName.size()) + std::to_string(id + later);
}

}  // namespace

// What is remembered of one deployment.
struct CheckpointContents::Watch {
  std::int64_t tried_trigger_ms = std::numeric_limits<std::int64_t>::min();
  std::int64_t not_before_ms = std::numeric_limits<std::int64_t>::min();  // monotonic
  std::int64_t pause_ms = 0;
  int misses = 0;
  bool unreachable = false;
  std::string trouble;  // of the last try; empty: none
};

CheckpointContents::CheckpointContents(std::unique_ptr<CheckpointStore> store, const Clock& clock)
    : store_(std::move(store)),
      clock_(clock),
      store_not_before_ms_(std::numeric_limits<std::int64_t>::min()) {}

CheckpointContents::~CheckpointContents() = default;

void CheckpointContents::Forget(const ClusterSnapshot& snapshot) {
  std::map<CheckpointLibrary::Run, Watch> watches;
  for (const JobSnapshot& job : snapshot.jobs) {
    if (job.Terminal()) continue;
    auto known = watches_.extract({job.id, job.start_ms});
    if (known.empty()) {
      watches.try_emplace({job.id, job.start_ms});
    } else {
      watches.insert(std::move(known));
    }
  }
  watches_ = std::move(watches);
  std::erase_if(library_.jobs, [&](const auto& job) { return !watches_.contains(job.first); });
}

const CheckpointLibrary& CheckpointContents::Refresh(const ClusterSnapshot& snapshot) {
  Forget(snapshot);
  const std::int64_t begin = clock_.MonotonicMillis();
  // While a place is left alone its trouble stands.
  if (begin < store_not_before_ms_) return library_;
  bytes_left_ = kBytesPerPoll;
  const std::size_t count = snapshot.jobs.size();
  const std::size_t first = next_;
  for (std::size_t i = 0; i < count; ++i) {
    next_ = (first + i) % count;
    const JobSnapshot& job = snapshot.jobs[next_];
    if (job.Terminal()) continue;
    if (clock_.MonotonicMillis() - begin >= kMillisPerPoll) break;
    if (Look(job, &watches_.at({job.id, job.start_ms})) == Next::kStop) break;
  }
  TellTrouble();
  return library_;
}

void CheckpointContents::TellTrouble() {
  trouble_ = store_trouble_;
  for (const auto& [run, watch] : watches_) {
    if (trouble_.empty()) trouble_ = watch.trouble;
  }
}

CheckpointContents::Next CheckpointContents::Look(const JobSnapshot& job, Watch* watch) {
  if (watch->unreachable || !job.latest || job.latest->external_path.empty()) return Next::kGoOn;
  const CompletedCheckpoint& latest = *job.latest;
  const std::int64_t now = clock_.MonotonicMillis();
  if (latest.trigger_ms == watch->tried_trigger_ms || now < watch->not_before_ms) {
    return Next::kGoOn;
  }
  if (!IsAddress(latest.external_path)) {
    const Error in_memory{ErrorCode::kInvalidArgument, "checkpoints lie in the JobManager's memory",
                          ""};
    return Failed(in_memory, job, watch);
  }
  const std::uint64_t before = bytes_left_;
  std::string folder = latest.external_path;
  Result<CheckpointMetadata> metadata = ReadOrNext(&folder);
  if (!metadata.ok()) return Failed(metadata.error(), job, watch);
  std::shared_ptr<const CheckpointMetadata>& kept = library_.jobs[{job.id, job.start_ms}];
  ReadHeads(folder, kept.get(), &*metadata);
  kept = std::make_shared<CheckpointMetadata>(*std::move(metadata));
  watch->tried_trigger_ms = latest.trigger_ms;
  watch->misses = 0;
  watch->pause_ms = 0;
  watch->trouble.clear();
  store_pause_ms_ = 0;
  store_trouble_.clear();
  watch->not_before_ms = now + static_cast<std::int64_t>(before - bytes_left_) / kBytesPerMilli;
  return bytes_left_ > 0 ? Next::kGoOn : Next::kStop;
}

// REST tells of a checkpoint up to three seconds late (web.refresh-interval), and Flink retains one
// by default: where they come every few seconds, the one that is told is gone. Those after it lie
// beside it, and each knows its own id.
Result<CheckpointMetadata> CheckpointContents::ReadOrNext(std::string* folder) {
  Result<CheckpointMetadata> metadata = Read(*folder);
  for (int later = 1; later <= kLaterTried && Missing(metadata); ++later) {
    const std::optional<std::string> next = LaterCheckpoint(*folder, later);
    if (!next) break;
    Result<CheckpointMetadata> of_next = Read(*next);
    if (Missing(of_next)) continue;
    *folder = *next;
    return of_next;
  }
  return metadata;
}

Result<CheckpointMetadata> CheckpointContents::Read(const std::string& folder) {
  auto source = store_->Open(folder + "/_metadata", kBytesPerPoll);
  if (!source.ok()) return source.error();
  const std::uint64_t size = (*source)->size();
  if (size > kBytesPerPoll) {
    return Error{ErrorCode::kTooLarge,
                 "_metadata above " + std::to_string(kBytesPerPoll) + " bytes", folder};
  }
  // More than is left of this poll: its turn comes first in the next one.
  if (size > bytes_left_) {
    bytes_left_ = 0;
    return Error{ErrorCode::kTooLarge, "", ""};
  }
  bytes_left_ -= size;
  Result<CheckpointMetadata> metadata = ReadCheckpointMetadata(**source);
  if (metadata.ok()) return metadata;
  Error error = metadata.error();
  if (error.context.empty()) error.context = folder + "/_metadata";
  return error;
}

// What was registered at a deployment's start stays so: it is read once.
void CheckpointContents::ReadHeads(const std::string& folder, const CheckpointMetadata* before,
                                   CheckpointMetadata* metadata) {
  for (CheckpointOperator& op : metadata->operators) {
    const CheckpointOperator* known =
        before == nullptr ? nullptr : before->FindOperator(op.operator_id);
    if (op.keyed_states_known || known == nullptr || !known->keyed_states_known) continue;
    op.states = known->states;
    op.keyed_states_known = true;
    op.keyed_head.reset();
  }
  const HeadsRead heads = ReadStateHeads(folder, *store_, bytes_left_, metadata);
  bytes_left_ -= std::min(bytes_left_, heads.bytes);
  // A file that is gone belongs to a checkpoint that is: the next one has others.
}

CheckpointContents::Next CheckpointContents::Failed(const Error& error, const JobSnapshot& job,
                                                    Watch* watch) {
  const std::int64_t now = clock_.MonotonicMillis();
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
      watch->unreachable = true;
      if (unreachable_jobs_++ == 0) unreachable_ = error.ToString();
      return Next::kGoOn;
    case ErrorCode::kNotFound:
      // Subsumed meanwhile, as a rule: the next poll knows a newer one.
      watch->tried_trigger_ms = job.latest->trigger_ms;
      if (++watch->misses > kUsualMisses) watch->trouble = error.ToString();
      return Next::kGoOn;
    case ErrorCode::kUnreachable:
    case ErrorCode::kTimeout:
      store_trouble_ = error.ToString();
      store_pause_ms_ = LongerPause(store_pause_ms_);
      store_not_before_ms_ = now + store_pause_ms_;
      return Next::kStop;
    case ErrorCode::kTooLarge:
      if (error.message.empty()) return Next::kStop;
      break;
    case ErrorCode::kMalformed:
    case ErrorCode::kHttpStatus:
    case ErrorCode::kIo:
      break;
  }
  watch->trouble = error.ToString();
  watch->pause_ms = LongerPause(watch->pause_ms);
  watch->not_before_ms = now + watch->pause_ms;
  return Next::kGoOn;
}

std::string CheckpointContents::TakeUnreachable() {
  std::string line = std::exchange(unreachable_, {});
  const std::size_t jobs = std::exchange(unreachable_jobs_, 0);
  if (jobs > 1) line += " (and those of " + std::to_string(jobs - 1) + " other jobs)";
  return line;
}

}  // namespace fss
