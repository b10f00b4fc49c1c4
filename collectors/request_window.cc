#include "collectors/request_window.h"

#include <algorithm>
#include <utility>

namespace fss {
namespace {

// How long a cancelled request may take to unwind before it is given up: a resolver that blocks
// in getaddrinfo cannot be woken.
constexpr std::chrono::milliseconds kUnwindGrace{500};
// How often the bytes that came are compared with those that were handed on (wire_watch.h). At a
// gigabyte a second 20 MB come in between.
constexpr std::chrono::milliseconds kWatchInterval{20};
// What may have come and not be handed on: whole answers in one chunk, from a proxy that buffers,
// in parts of max_body_bytes; the heads of answers; TLS' own bytes.
constexpr std::uint64_t kUndeliveredParts = 2;
constexpr std::uint64_t kHeadBytes = 16U << 10U;
constexpr std::uint64_t kOverheadParts = 8;

bool GotNoAnswer(const Exchange& exchange) {
  return exchange.error && (exchange.error->code == ErrorCode::kTimeout ||
                            exchange.error->code == ErrorCode::kUnreachable);
}

Result<RestAnswer> Outcome(Exchange* exchange, const std::string& path) {
  if (!exchange->error) {
    return RestAnswer{exchange->status, std::move(exchange->content_type), exchange->TakeBody()};
  }
  exchange->error->context = path;
  return *exchange->error;
}

}  // namespace

RequestWindow::RequestWindow(const RestClientOptions& options, Transport* transport,
                             std::string base_path, std::uint16_t port)
    : options_(options),
      transport_(transport),
      base_path_(std::move(base_path)),
      wire_(port),
      watched_(std::chrono::steady_clock::now()),
      delivered_before_(transport->BytesDelivered()) {}

void RequestWindow::GetEach(const std::vector<std::string>& paths,
                            const RestClient::OnAnswer& on_answer) {
  std::size_t next = 0;
  while (next < paths.size() || !in_flight_.empty()) {
    for (; next < paths.size() && !given_up_ && in_flight_.size() < options_.max_concurrency;
         ++next) {
      Start(next, paths[next]);
    }
    for (const std::shared_ptr<Exchange>& exchange : NextEnded()) {
      NoteOutcome(*exchange);
      on_answer(exchange->index, Outcome(exchange.get(), paths[exchange->index]));
    }
    for (; given_up_ && next < paths.size(); ++next) {
      on_answer(next, Error{given_up_->code, "not asked: no good answers any more", paths[next]});
    }
  }
}

void RequestWindow::Start(std::size_t index, const std::string& path) {
  std::shared_ptr<Exchange> exchange = transport_->NewExchange();
  exchange->index = index;
  exchange->target = base_path_ + path;
  exchange->deadline = std::chrono::steady_clock::now() + options_.request_timeout;
  in_flight_.push_back(exchange);
  ++started_;
  transport_->Send(exchange, ended_);
}

void RequestWindow::NoteOutcome(const Exchange& exchange) {
  silent_ = GotNoAnswer(exchange) ? silent_ + 1 : 0;
  if (silent_ >= options_.max_concurrency) given_up_ = exchange.error;
}

// Waits for exchanges that end and takes them out of the window. Those past their deadline are
// cancelled; those that do not unwind after that are ended here, and their late end is ignored.
RequestWindow::Exchanges RequestWindow::NextEnded() {
  Exchanges ended = ended_->Take(std::chrono::steady_clock::now() + kWatchInterval);
  const auto now = std::chrono::steady_clock::now();
  if (ended.empty()) {
    for (const auto& exchange : in_flight_) Expire(exchange, now, &ended);
  }
  for (const auto& exchange : ended) std::erase(in_flight_, exchange);
  if (now - watched_ >= kWatchInterval) WatchTheWire(now);
  return ended;
}

void RequestWindow::Expire(const std::shared_ptr<Exchange>& exchange, SteadyTime now,
                           Exchanges* ended) {
  if (exchange->deadline > now) return;
  if (exchange->stop.load() != Exchange::Stop::kDeadline) {
    exchange->stop = Exchange::Stop::kDeadline;
    exchange->deadline = now + kUnwindGrace;
    transport_->Cancel(exchange);
  } else if (!exchange->finished.exchange(true)) {
    exchange->error = Error{ErrorCode::kTimeout, "no answer in time", ""};
    ended->push_back(exchange);
  }
}

void RequestWindow::WatchTheWire(SteadyTime now) {
  watched_ = now;
  const std::uint64_t delivered = transport_->BytesDelivered() - delivered_before_;
  const std::uint64_t expected = delivered + delivered / kOverheadParts + started_ * kHeadBytes;
  if (wire_.BytesRead() <= expected + options_.max_body_bytes / kUndeliveredParts) return;
  given_up_ = Error{ErrorCode::kTooLarge, "the server sends without end", ""};
  for (const auto& exchange : in_flight_) {
    if (exchange->stop.load() != Exchange::Stop::kNone) continue;
    exchange->stop = Exchange::Stop::kTooLarge;
    transport_->Cancel(exchange);
  }
}

}  // namespace fss
