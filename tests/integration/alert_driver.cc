// Drives the alert exporter by a clock of its own: AlertSender, AlertBook and AlertmanagerClient as
// `serve` wires them, but time passes when stdin says so. For test_alertmanager.py: nobody waits 15
// minutes for an alert.
//
//   alert_driver URL[,URL] [CA_FILE]
//
// A command a line, its words between tabs:
//   at MS            the clock, milliseconds since 1970
//   up | down        whether the JobManager answers
//   find CODE SEVERITY JOB JOB_ID VERTEX_ID OPERATOR STATE MESSAGE     a finding that stands
//   ack CODE | forget CODE     it is acknowledged; it is over
//   poll             hands the report over; prints "ALERTS<tab>URL<tab>ok or the error"… and "."
#include <atomic>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "exporters/alertmanager/alert_sender.h"
#include "exporters/alertmanager/alertmanager_client.h"

namespace {

using Words = std::vector<std::string>;

Words Split(const std::string& text, char between) {
  Words words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, between);) words.push_back(word);
  return words;
}

class DrivenClock : public fss::Clock {
 public:
  std::int64_t WallMillis() const override { return now_; }
  std::int64_t MonotonicMillis() const override { return now_; }
  void Set(std::int64_t now) { now_ = now; }

 private:
  std::atomic<std::int64_t> now_{0};
};

// What the sender's thread did, for the thread that reads stdin.
class Rounds {
 public:
  void Done(std::size_t alerts, const std::vector<fss::PostOutcome>& outcomes) {
    const std::lock_guard lock(mutex_);
    text_.clear();
    for (const fss::PostOutcome& outcome : outcomes) {
      text_ += std::to_string(alerts) + "\t" + outcome.target + "\t" +
               (outcome.status.ok() ? "ok" : outcome.status.error().ToString()) + "\n";
    }
    done_ = true;
    changed_.notify_all();
  }
  void Begin() {
    const std::lock_guard lock(mutex_);
    done_ = false;
  }
  std::string Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::string text_;
};

fss::Finding MakeFinding(const Words& words) {
  fss::Finding finding;
  finding.code = words.at(1);
  finding.severity = fss::Severity::kInfo;
  for (const auto severity : {fss::Severity::kWarning, fss::Severity::kCritical}) {
    if (words.at(2) == fss::SeverityName(severity)) finding.severity = severity;
  }
  finding.job = words.at(3);
  finding.job_id = words.at(4);
  finding.vertex_id = words.at(5);
  finding.operator_label = words.at(6);
  finding.state = words.at(7);
  finding.message = words.at(8);
  return finding;
}

// The jobs of the findings, as a poll would report them.
void FillJobs(fss::Report* report) {
  std::set<std::string> ids;
  report->jobs.clear();
  for (const fss::Finding& finding : report->findings) {
    if (!ids.insert(finding.job_id).second) continue;
    fss::JobReport job;
    job.id = finding.job_id;
    job.name = finding.job;
    report->jobs.push_back(job);
  }
}

void Apply(const Words& words, DrivenClock* clock, fss::Report* report) {
  const std::string& command = words.at(0);
  if (command == "at") clock->Set(std::stoll(words.at(1)));
  if (command == "up" || command == "down") report->health.up = command == "up";
  if (command == "find") report->findings.push_back(MakeFinding(words));
  if (command == "ack") {
    for (fss::Finding& finding : report->findings) {
      finding.acknowledged = finding.acknowledged || finding.code == words.at(1);
    }
  }
  if (command == "forget") {
    std::erase_if(report->findings, [&](const auto& f) { return f.code == words.at(1); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  fss::AlertmanagerOptions options;
  options.urls = Split(argv[1], ',');
  options.timeout = std::chrono::seconds(1);
  if (argc > 2) options.ca_file = argv[2];
  auto client = fss::NewAlertmanagerClient(options);
  if (!client.ok()) {
    std::cerr << client.error().ToString() << "\n";
    return 2;
  }
  DrivenClock clock;
  Rounds rounds;
  fss::AlertSender sender(
      {"driver:1", "https://wiki.test/runbooks", 15'000}, *std::move(client), clock,
      "http://driver:1/api/v1/findings",
      [&rounds](std::size_t alerts, const std::vector<fss::PostOutcome>& outcomes) {
        rounds.Done(alerts, outcomes);
      });
  fss::Report report;
  report.cluster = "driven";
  report.health.up = true;
  for (std::string line; std::getline(std::cin, line);) {
    const Words words = Split(line, '\t');
    if (words.empty()) continue;
    if (words[0] != "poll") {
      Apply(words, &clock, &report);
      continue;
    }
    FillJobs(&report);
    if (report.health.up) report.health.last_success_ms = clock.WallMillis();
    rounds.Begin();
    sender.Offer(std::make_shared<const fss::Report>(report), {});
    std::cout << rounds.Wait() << "." << std::endl;
  }
  return 0;
}
