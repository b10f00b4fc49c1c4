#include "exporters/kubernetes/event_book.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <utility>

#include "sidecar/base/stable_hash.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxNoteBytes = 1000;  // the API server takes 1 KiB
constexpr std::size_t kMaxNameBytes = 200;   // before the hash; 253 in all
// What is over and has not come again is forgotten, as the API server forgets it.
constexpr std::int64_t kForgetMillis = 60LL * 60 * 1000;

// The findings of one code of one job that ask for somebody.
struct Standing {
  const Finding* first = nullptr;  // the most severe
  std::size_t count = 0;
};

std::string KeyOf(const Finding& finding) { return finding.job + '\0' + finding.code; }

std::string NameOf(const ObjectReference& regarding, const std::string& key, const char* what) {
  std::array<char, 20> hash{};
  const std::uint64_t number =
      StableHash(regarding.kind + '\0' + regarding.uid + '\0' + key + '\0' + what);
  std::snprintf(hash.data(), hash.size(), ".%016llx", static_cast<unsigned long long>(number));
  return regarding.name.substr(0, kMaxNameBytes) + hash.data();
}

std::string NoteOf(const Standing& standing) {
  const Finding& finding = *standing.first;
  std::string note = finding.job.empty() ? "" : "Job " + OneLine(finding.job, 100) + ": ";
  note += finding.message;
  if (standing.count > 1) note += " (and " + std::to_string(standing.count - 1) + " more)";
  return OneLine(note, kMaxNoteBytes);
}

std::map<std::string, Standing> StandingOf(const Report& report) {
  std::map<std::string, Standing> standing;
  for (const Finding& finding : report.findings) {  // most severe first
    if (finding.acknowledged || finding.severity == Severity::kInfo) continue;
    Standing& group = standing[KeyOf(finding)];
    if (group.first == nullptr) group.first = &finding;
    ++group.count;
  }
  return standing;
}

void Again(KubeEventRecord* record, std::int64_t now_ms) {
  ++record->count;
  record->last_ms = now_ms;
}

}  // namespace

std::string EventReason(const std::string& code) {
  std::string reason;
  bool capital = true;
  for (const char c : code) {
    if (c == '-') {
      capital = true;
    } else {
      reason += capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      capital = false;
    }
  }
  return reason;
}

std::vector<KubeEventRecord> EventBook::Update(const Report& report,
                                               const ObjectReference& regarding,
                                               std::int64_t now_ms) {
  std::vector<KubeEventRecord> due;
  if (!report.health.up || regarding.kind.empty()) return due;
  Cluster& cluster = clusters_[report.cluster];
  const auto tell = [&](Group* group, const KubeEventRecord& record) {
    group->told_ms = now_ms;
    if (TakeToken(&cluster, now_ms)) due.push_back(record);
  };
  const std::map<std::string, Standing> standing = StandingOf(report);
  for (const auto& [key, now] : standing) {
    const auto [place, is_new] = cluster.groups.try_emplace(key);
    Group& group = place->second;
    if (is_new || group.appeared.regarding.uid != regarding.uid) {
      const std::string reason = EventReason(now.first->code);
      group = {now.first->job, now.first->code, true, {}, std::nullopt, 0};
      group.appeared = {
          regarding, NameOf(regarding, key, "appeared"), true, reason, NoteOf(now), now_ms, now_ms,
          1};
      tell(&group, group.appeared);
    } else if (!group.stands || now_ms - group.told_ms >= kEventHeartbeatMillis) {
      group.stands = true;
      Again(&group.appeared, now_ms);
      tell(&group, group.appeared);
    }
  }
  for (auto& [key, group] : cluster.groups) {
    if (!group.stands || standing.contains(key)) continue;
    group.stands = false;
    if (group.over) {
      Again(&*group.over, now_ms);
    } else {
      std::string note = group.job.empty() ? "" : "Job " + OneLine(group.job, 100) + ": ";
      note += group.code + " is over";
      group.over = KubeEventRecord{regarding, NameOf(regarding, key, "over"),
                                   false,     EventReason(group.code) + "Over",
                                   note,      now_ms,
                                   now_ms,    1};
    }
    tell(&group, *group.over);
  }
  std::erase_if(cluster.groups, [now_ms](const auto& item) {
    return !item.second.stands && now_ms - item.second.told_ms > kForgetMillis;
  });
  return due;
}

void EventBook::Forget(const std::string& cluster) { clusters_.erase(cluster); }

bool EventBook::TakeToken(Cluster* cluster, std::int64_t now_ms) {
  const auto passed = static_cast<double>(std::max<std::int64_t>(now_ms - cluster->refilled_ms, 0));
  cluster->tokens = std::min<double>(
      cluster->tokens + passed / static_cast<double>(kEventRefillMillis), kEventBurst);
  cluster->refilled_ms = now_ms;
  if (cluster->tokens < 1) return false;
  cluster->tokens -= 1;
  return true;
}

}  // namespace fss
