// Reads the newest checkpoint of every running job, as far as it can be reached.
//
// Frugal: of a checkpoint its `_metadata` and, where that does not describe the keyed states, the
// head of a state file per operator, once in a deployment. A poll reads for two seconds and 128 MiB
// at most; jobs take turns, and one whose `_metadata` is large waits longer until the next (1 MiB a
// second). A place that does not answer is left alone for a while, at most five minutes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "collectors/checkpoint_store.h"
#include "sidecar/base/clock.h"
#include "sidecar/model/checkpoint_library.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Not thread safe but for Cancel: the poll loop owns it.
class CheckpointContents {
 public:
  // `clock` outlives it.
  CheckpointContents(std::unique_ptr<CheckpointStore> store, const Clock& clock);
  ~CheckpointContents();

  // Reads what is due. Valid until the next call. What could not be had is in TakeTrouble, and the
  // checkpoint that was read before stands.
  const CheckpointLibrary& Refresh(const ClusterSnapshot& snapshot);

  // Ends a read that is under way, and all later ones, with an error. From any thread.
  void Cancel() { store_->Cancel(); }

  // As of the last Refresh: one line; empty when all is well.
  const std::string& trouble() const { return trouble_; }
  // Jobs whose checkpoints no root reaches, one line for those that were found since the last call;
  // empty: none. It is not told again, and they are not asked for again in this deployment.
  std::string TakeUnreachable();

 private:
  struct Watch;
  enum class Next { kGoOn, kStop };

  void Forget(const ClusterSnapshot& snapshot);
  Next Look(const JobSnapshot& job, Watch* watch);
  Result<CheckpointMetadata> ReadOrNext(std::string* folder);
  Result<CheckpointMetadata> Read(const std::string& folder);
  void ReadHeads(const std::string& folder, const CheckpointMetadata* before,
                 CheckpointMetadata* metadata);
  Next Failed(const Error& error, const JobSnapshot& job, Watch* watch);
  void TellTrouble();

  std::unique_ptr<CheckpointStore> store_;
  const Clock& clock_;
  std::map<CheckpointLibrary::Run, Watch> watches_;
  CheckpointLibrary library_;
  std::size_t next_ = 0;              // the job whose turn is first
  std::uint64_t bytes_left_ = 0;      // of this poll
  std::int64_t store_not_before_ms_;  // monotonic
  std::int64_t store_pause_ms_ = 0;
  std::string store_trouble_;  // why it is left alone
  std::string trouble_;
  std::string unreachable_;
  std::size_t unreachable_jobs_ = 0;
};

}  // namespace fss
