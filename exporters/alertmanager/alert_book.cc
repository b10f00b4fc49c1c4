#include "exporters/alertmanager/alert_book.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "exporters/alertmanager/alert_texts.h"

namespace fss {
namespace {

// How many resends an Alertmanager may miss before it takes an alert for over.
constexpr std::int64_t kEndsAfterResends = 4;

// No label value holds a NUL: LabelValue makes a space of it.
constexpr char kBetween = '\0';

// What tells one alert from another but for its severity.
std::string PlaceOf(const AlertPairs& labels) {
  std::string place;
  for (const auto& [name, value] : labels) {
    if (name == "severity") continue;
    place.append(name).append(1, kBetween).append(value).append(1, kBetween);
  }
  return place;
}

std::string KeyOf(const std::string& place, Severity severity) {
  return place + SeverityName(severity);
}

}  // namespace

AlertBook::AlertBook(AlertBookOptions options)
    : options_(std::move(options)), own_(options_.poll_interval_ms) {}

std::vector<Alert> AlertBook::Update(const Report& report, const SidecarStats& stats,
                                     std::int64_t now_ms) {
  for (auto& [key, entry] : entries_) {  // a clock that went back
    entry.since_ms = std::min(entry.since_ms, now_ms);
    entry.seen_ms = std::min(entry.seen_ms, now_ms);
    if (entry.sent_ms.has_value()) entry.sent_ms = std::min(*entry.sent_ms, now_ms);
  }
  const bool answered = report.health.up;
  if (answered) SeeFindings(report, now_ms);
  SeeOwn(report, stats, now_ms);
  Settle(answered, now_ms);
  return Due(now_ms);
}

void AlertBook::SeeFindings(const Report& report, std::int64_t now_ms) {
  for (auto& [key, entry] : entries_) {
    if (entry.finding != nullptr) entry.stands = false;
  }
  std::unordered_set<std::string_view> live;
  for (const JobReport& job : report.jobs) {
    if (!job.terminal) live.insert(job.id);
  }
  // Findings of an ended job are not exported either.
  const auto counts = [&](const Finding& finding) {
    return finding.job_id.empty() || live.contains(finding.job_id);
  };
  for (const Finding& finding : report.findings) {
    if (!finding.acknowledged && counts(finding)) SeeFinding(report, finding, now_ms);
  }
  for (const Finding& finding : report.findings) {
    if (!finding.acknowledged) continue;
    for (const Severity severity : {Severity::kWarning, Severity::kCritical}) {
      const FindingAlert* row = AlertOf(finding.code, severity);
      if (row == nullptr) continue;
      const auto entry = entries_.find(
          KeyOf(PlaceOf(FindingLabels(*row, report.cluster, finding)), row->severity));
      if (entry == entries_.end()) continue;
      entry->second.stands = false;
      entry->second.seen_ms = now_ms - kAlertLookBackMillis - 1;  // no look back, it excludes none
    }
  }
  Exclude(now_ms);
  seen_findings_ = true;
}

void AlertBook::SeeFinding(const Report& report, const Finding& finding, std::int64_t now_ms) {
  const FindingAlert* row = AlertOf(finding.code, finding.severity);
  if (row == nullptr) return;
  Entry fresh;
  fresh.finding = row;
  fresh.severity = row->severity;
  fresh.labels = FindingLabels(*row, report.cluster, finding);
  fresh.annotations = FindingAnnotations(*row, report.cluster, finding, options_.runbook_base_url);
  fresh.finding_severity = finding.severity;
  fresh.wait_ms = row->wait_ms;
  // Of a finding that stood before the sidecar started, the history knows since when.
  const bool known = !seen_findings_ && finding.first_seen_ms.has_value();
  See(std::move(fresh), known ? std::min(*finding.first_seen_ms, now_ms) : now_ms, now_ms);
}

void AlertBook::SeeOwn(const Report& report, const SidecarStats& stats, std::int64_t now_ms) {
  for (auto& [key, entry] : entries_) {
    if (entry.finding == nullptr) entry.stands = false;
  }
  for (const OwnTrouble& trouble : own_.Look(report, stats, now_ms)) {
    const OwnAlert& row = *trouble.row;
    // The JobManager is the cluster's: all its sidecars raise one alert.
    const std::string instance =
        row.condition == OwnCondition::kUnreachable ? "" : options_.instance;
    Entry fresh;
    fresh.severity = row.severity;
    fresh.labels = OwnLabels(row, report.cluster, instance, trouble.collector);
    fresh.annotations = OwnAnnotations(row, report.cluster, instance, trouble.description,
                                       options_.runbook_base_url);
    fresh.wait_ms = row.held_ms + row.wait_ms;
    See(std::move(fresh), now_ms, now_ms);
  }
}

void AlertBook::See(Entry fresh, std::int64_t since_ms, std::int64_t now_ms) {
  fresh.place = PlaceOf(fresh.labels);
  Entry& entry = entries_[KeyOf(fresh.place, fresh.severity)];
  const bool known = !entry.labels.empty();
  const bool goes_on = known && (fresh.finding == nullptr || entry.fired_ms.has_value() ||
                                 now_ms - entry.seen_ms <= kAlertLookBackMillis);
  fresh.since_ms = goes_on ? entry.since_ms : since_ms;
  fresh.seen_ms = now_ms;
  fresh.stands = true;
  if (goes_on) {
    fresh.fired_ms = entry.fired_ms;
    fresh.resolved_ms = entry.resolved_ms;
    fresh.sent_ms = entry.sent_ms;
  }
  entry = std::move(fresh);
}

void AlertBook::Exclude(std::int64_t now_ms) {
  std::unordered_map<std::string_view, std::vector<const Entry*>> by_job;
  for (const auto& [key, entry] : entries_) {
    if (entry.finding != nullptr && now_ms - entry.seen_ms <= kAlertLookBackMillis) {
      by_job[LabelOf(entry.labels, "job_id")].push_back(&entry);
    }
  }
  for (auto& [key, entry] : entries_) {
    if (entry.finding == nullptr || !entry.finding->unless.has_value()) continue;
    const std::vector<const Entry*>& others = by_job[LabelOf(entry.labels, "job_id")];
    entry.excluded =
        std::any_of(others.begin(), others.end(),
                    [&entry = entry](const Entry* other) { return Excludes(*other, entry); });
    // The wait begins when nothing else says it.
    if (entry.excluded && !entry.fired_ms.has_value()) entry.since_ms = now_ms;
  }
}

// Both are of one job.
bool AlertBook::Excludes(const Entry& other, const Entry& entry) {
  const AlertExclusion& unless = *entry.finding->unless;
  const std::string_view code = other.finding->code;
  if (code != unless.code && code != unless.other_code) return false;
  if (unless.severity.value_or(other.finding_severity) != other.finding_severity) return false;
  const auto same = [&](std::string_view name) {
    return LabelOf(entry.labels, name) == LabelOf(other.labels, name);
  };
  return unless.scope == AlertExclusion::Scope::kJob || (same("vertex_id") && same("operator"));
}

// A finding that became critical waits again; its ticket must not be resolved meanwhile.
bool AlertBook::IsHeld(const Entry& entry) const {
  const auto page = entries_.find(KeyOf(entry.place, Severity::kCritical));
  return page != entries_.end() && &page->second != &entry && page->second.stands &&
         !page->second.excluded && !page->second.fired_ms.has_value();
}

void AlertBook::Settle(bool findings_too, std::int64_t now_ms) {
  for (auto& [key, entry] : entries_) {
    const bool frozen = entry.finding != nullptr && !findings_too;
    if (frozen) continue;
    const bool holds = entry.stands && !entry.excluded;
    if (entry.resolved_ms.has_value()) {
      if (!holds) continue;
      entry.fired_ms.reset();  // it is back, and waits anew
      entry.resolved_ms.reset();
      entry.sent_ms.reset();
      entry.since_ms = now_ms;
    }
    if (!entry.fired_ms.has_value()) {
      if (holds && now_ms - entry.since_ms >= entry.wait_ms) {
        entry.fired_ms = entry.since_ms + entry.wait_ms;
      }
    } else if (!holds && !IsHeld(entry)) {
      entry.resolved_ms = now_ms;
      entry.sent_ms.reset();
    }
  }
  std::erase_if(entries_, [&](const auto& item) {
    const Entry& entry = item.second;
    if (entry.resolved_ms.has_value()) return now_ms - *entry.resolved_ms > kAlertResolvedMillis;
    if (entry.fired_ms.has_value() || entry.stands) return false;
    return entry.finding == nullptr || now_ms - entry.seen_ms > kAlertLookBackMillis;
  });
}

std::vector<Alert> AlertBook::Due(std::int64_t now_ms) {
  const std::int64_t stands_for =
      kEndsAfterResends * std::max(options_.poll_interval_ms, kAlertResendMillis);
  std::vector<Alert> due;
  for (auto& [key, entry] : entries_) {
    if (!entry.fired_ms.has_value()) continue;
    if (entry.sent_ms.has_value() && now_ms - *entry.sent_ms < kAlertResendMillis) continue;
    entry.sent_ms = now_ms;
    due.push_back({entry.labels, entry.annotations, *entry.fired_ms,
                   entry.resolved_ms.value_or(now_ms + stands_for)});
  }
  return due;
}

}  // namespace fss
