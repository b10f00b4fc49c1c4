// What objects of one kind there are, kept up to date by list and watch. Pure: it says what to ask
// and takes the answers; time comes with each call, nothing is sent.
//
// A list in pages, then a watch from the list's resource version on; where the server has forgotten
// that version (410 Gone), a list again. What was known stays known while nothing can be learnt: a
// right that was taken away, or a server that is down, takes no object away.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/kube/back_off.h"
#include "collectors/kube/kube_http.h"
#include "collectors/kube/kube_object.h"
#include "collectors/kube/kube_reader.h"
#include "sidecar/base/result.h"

namespace fss {

struct InformerOptions {
  KubeKind kind = KubeKind::kService;
  std::string namespace_name;  // empty: all
  std::string selector;        // of labels; empty: all objects
};

// Not thread safe. Times are milliseconds of a monotonic clock.
class Informer {
 public:
  Informer(InformerOptions options, RandomFraction random);

  // The next request, when one is due and none is under way; it is then.
  std::optional<KubeRequest> Next(std::int64_t now_ms);
  // When Next has one; absent while one is under way.
  std::optional<std::int64_t> NotBefore() const;

  // What became of it. Of a list: TakeDone alone. Of a watch: TakeOpen, then each line (false: end
  // the watch), then TakeDone.
  void TakeOpen();
  bool TakeLine(std::string_view line);
  void TakeDone(Result<KubeAnswer> answer, std::int64_t now_ms);

  const InformerOptions& options() const { return options_; }
  const std::map<std::string, KubeObject>& objects() const { return objects_; }  // by Key()
  // A list was complete once, or there are no such objects here (the CRD is missing).
  bool synced() const { return synced_; }
  // Why it is not up to date; empty: it is.
  const std::string& trouble() const { return trouble_; }
  // Changes with objects(), synced() and trouble().
  std::uint64_t generation() const { return generation_ + objects_generation_; }
  // Changes with objects() alone.
  std::uint64_t objects_generation() const { return objects_generation_; }

 private:
  enum class Phase { kList, kWatch };

  KubeRequest ListRequest() const;
  KubeRequest WatchRequest();
  void TakePage(KubeAnswer answer, std::int64_t now_ms);
  void TakeWatchEnd(const KubeAnswer& answer, std::int64_t now_ms);
  void TakeEvent(KubeEvent event);
  void ListAgain();
  void Gone(const Error& why, std::int64_t now_ms);
  // `answer`: what the error was read from; nullptr where none came.
  void Failed(const Error& error, std::int64_t now_ms, const KubeAnswer* answer = nullptr);
  void SayTrouble(const Error& error, int status);
  void Missing(std::int64_t now_ms);
  void Good();

  const InformerOptions options_;
  BackOff back_off_;
  BackOff gone_back_off_;  // of watches that are gone as soon as they begin
  Phase phase_ = Phase::kList;
  bool under_way_ = false;
  std::int64_t not_before_ms_ = 0;
  std::int64_t began_ms_ = 0;  // the watch that is under way
  bool heard_ = false;         // it said something
  bool gone_ = false;          // it said 410, or what cannot be understood: list again
  std::optional<Error> watch_error_;
  std::string continue_;
  std::string resource_version_;
  std::map<std::string, KubeObject> fresh_;  // of the pages so far
  std::map<std::string, KubeObject> objects_;
  bool synced_ = false;
  std::string trouble_;
  // A server words one refusal in many ways, as its caches fill: it is the same trouble.
  std::optional<std::pair<ErrorCode, int>> trouble_kind_;
  std::uint64_t generation_ = 0;  // of all but the objects
  std::uint64_t objects_generation_ = 0;
};

}  // namespace fss
