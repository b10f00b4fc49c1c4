#include "collectors/kube/informer.h"

#include <chrono>
#include <utility>

#include "sidecar/base/percent.h"

namespace fss {
namespace {

// In a page: at most a few megabytes, but for ConfigMaps, of which one may have one.
constexpr int kPageObjects = 250;
constexpr int kPageConfigMaps = 25;
// A watch ends by itself after so long, at the server's, each at another time; ours is behind it.
constexpr std::int64_t kWatchSeconds = 240;
constexpr std::int64_t kWatchJitterSeconds = 240;
constexpr std::chrono::seconds kWatchMargin{30};
constexpr std::chrono::seconds kListTimeout{30};
// An event with a ConfigMap of 1 MiB whose text is all escapes.
constexpr std::size_t kMaxLineBytes = 16U << 20U;
constexpr std::size_t kMaxPageBytes = 64U << 20U;
// A watch that ends sooner, without a word, is a server that wants none: no busy loop.
constexpr std::int64_t kShortWatchMillis = 1000;
// How often a CRD that is not there is looked for.
constexpr std::int64_t kMissingMillis = 60'000;

constexpr int kGone = 410;

}  // namespace

Informer::Informer(InformerOptions options, RandomFraction random)
    : options_(std::move(options)), back_off_(random), gone_back_off_(std::move(random)) {}

std::optional<std::int64_t> Informer::NotBefore() const {
  if (under_way_) return std::nullopt;
  return not_before_ms_;
}

std::optional<KubeRequest> Informer::Next(std::int64_t now_ms) {
  if (under_way_ || now_ms < not_before_ms_) return std::nullopt;
  under_way_ = true;
  began_ms_ = now_ms;
  heard_ = false;
  gone_ = false;
  watch_error_.reset();
  return phase_ == Phase::kList ? ListRequest() : WatchRequest();
}

KubeRequest Informer::ListRequest() const {
  KubeRequest request;
  const bool large = options_.kind == KubeKind::kConfigMap;
  request.path = KubePath(options_.kind, options_.namespace_name) +
                 "?limit=" + std::to_string(large ? kPageConfigMaps : kPageObjects);
  if (!options_.selector.empty()) {
    request.path += "&labelSelector=" + PercentEncoded(options_.selector);
  }
  if (!continue_.empty()) request.path += "&continue=" + PercentEncoded(continue_);
  request.timeout = kListTimeout;
  request.max_bytes = kMaxPageBytes;
  return request;
}

KubeRequest Informer::WatchRequest() {
  const std::int64_t seconds = kWatchSeconds + back_off_.Jitter(kWatchJitterSeconds);
  KubeRequest request;
  request.path = KubePath(options_.kind, options_.namespace_name) +
                 "?watch=1&allowWatchBookmarks=true&timeoutSeconds=" + std::to_string(seconds) +
                 "&resourceVersion=" + PercentEncoded(resource_version_);
  if (!options_.selector.empty()) {
    request.path += "&labelSelector=" + PercentEncoded(options_.selector);
  }
  request.watch = true;
  request.timeout = std::chrono::seconds(seconds) + kWatchMargin;
  request.max_bytes = kMaxLineBytes;
  return request;
}

void Informer::TakeOpen() { Good(); }

bool Informer::TakeLine(std::string_view line) {
  Result<KubeEvent> event = ReadKubeEvent(options_.kind, line);
  if (!event.ok()) {
    watch_error_ = event.error();
    gone_ = true;
    return false;
  }
  TakeEvent(*std::move(event));
  return !gone_;
}

void Informer::TakeEvent(KubeEvent event) {
  heard_ = true;
  const std::string key = event.object.Key();
  switch (event.type) {
    case KubeEvent::Type::kError:
      gone_ = true;
      if (event.code != kGone) {
        watch_error_ = Error{ErrorCode::kHttpStatus, "the watch ended: " + event.message, ""};
      }
      return;
    case KubeEvent::Type::kBookmark:
      break;
    case KubeEvent::Type::kDeleted:
      objects_generation_ += objects_.erase(key);
      break;
    case KubeEvent::Type::kAdded:
    case KubeEvent::Type::kModified:
      resource_version_ = event.object.resource_version;
      objects_[key] = std::move(event.object);
      ++objects_generation_;
      return;
  }
  resource_version_ = event.object.resource_version;
}

void Informer::TakeDone(Result<KubeAnswer> answer, std::int64_t now_ms) {
  under_way_ = false;
  if (gone_) {
    return Gone(watch_error_.value_or(Error{ErrorCode::kHttpStatus, "HTTP 410: gone", ""}), now_ms);
  }
  if (!answer.ok()) return Failed(answer.error(), now_ms);
  if (phase_ == Phase::kList) return TakePage(*std::move(answer), now_ms);
  TakeWatchEnd(*answer, now_ms);
}

void Informer::TakePage(KubeAnswer answer, std::int64_t now_ms) {
  if (answer.status == 404) return Missing(now_ms);
  KubeAnswer head;  // without the body, which may be large
  head.status = answer.status;
  head.retry_after_ms = answer.retry_after_ms;
  Result<KubePage> page = ReadKubePage(options_.kind, std::move(answer));
  if (!page.ok()) {
    // An old continue token: from the first page on.
    if (head.status == kGone) ListAgain();
    return Failed(page.error(), now_ms, &head);
  }
  for (KubeObject& object : page->objects) {
    std::string key = object.Key();
    fresh_[std::move(key)] = std::move(object);
  }
  continue_ = page->continue_token;
  if (!continue_.empty()) return;
  objects_ = std::exchange(fresh_, {});
  resource_version_ = page->resource_version;
  synced_ = true;
  ++objects_generation_;
  phase_ = Phase::kWatch;
  Good();
}

void Informer::TakeWatchEnd(const KubeAnswer& answer, std::int64_t now_ms) {
  if (answer.status == 404) return Missing(now_ms);
  if (answer.status == kGone) return Gone(KubeRefusal(answer), now_ms);
  if (answer.status != 200) return Failed(KubeRefusal(answer), now_ms, &answer);
  if (!heard_ && now_ms - began_ms_ < kShortWatchMillis) {
    Failed({ErrorCode::kHttpStatus, "the watch ended at once", ""}, now_ms);
  } else {
    gone_back_off_.Succeeded();
    // Its time was over: the next one, from where it ended.
    not_before_ms_ = now_ms + back_off_.Jitter(kShortWatchMillis);
  }
}

// What the watch would go on from is forgotten: a list follows at once. A server that says so again
// and again, as soon as a watch begins, is waited for.
void Informer::Gone(const Error& why, std::int64_t now_ms) {
  ListAgain();
  const bool again = gone_back_off_.failing();
  if (now_ms - began_ms_ >= kShortWatchMillis) gone_back_off_.Succeeded();
  const std::int64_t wait = gone_back_off_.Failed();
  if (!again && !watch_error_) return;
  not_before_ms_ = now_ms + wait;
  SayTrouble(why, kGone);
}

void Informer::ListAgain() {
  phase_ = Phase::kList;
  continue_.clear();
  fresh_.clear();
}

void Informer::Failed(const Error& error, std::int64_t now_ms, const KubeAnswer* answer) {
  not_before_ms_ = now_ms + back_off_.Failed(answer == nullptr ? 0 : answer->retry_after_ms);
  SayTrouble(error, answer == nullptr ? 0 : answer->status);
}

void Informer::SayTrouble(const Error& error, int status) {
  const std::pair kind(error.code, status);
  if (trouble_kind_ == kind) return;
  trouble_kind_ = kind;
  trouble_ = error.ToString();
  ++generation_;
}

// Of a CRD that is not installed there are no objects: no trouble, but it may be installed yet. The
// kinds that every server has are never missing.
void Informer::Missing(std::int64_t now_ms) {
  const bool built_in =
      options_.kind == KubeKind::kService || options_.kind == KubeKind::kConfigMap;
  if (built_in) return Failed({ErrorCode::kNotFound, "HTTP 404", ""}, now_ms);
  ListAgain();
  if (!objects_.empty() || !synced_) ++objects_generation_;
  objects_.clear();
  synced_ = true;
  Good();
  not_before_ms_ = now_ms + kMissingMillis / 2 + back_off_.Jitter(kMissingMillis / 2);
}

void Informer::Good() {
  back_off_.Succeeded();
  if (!trouble_kind_) return;
  trouble_kind_.reset();
  trouble_.clear();
  ++generation_;
}

}  // namespace fss
