// What a history file costs at the size of a large cluster: 20,000 subjects. Run by hand:
//
//   history_bench NEW_FILE [lines]     (default: 1000 lines of 20 subjects each)
//
// The file is left behind.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/analysis/sqlite_history_store.h"

namespace {

constexpr int kSubjects = 20'000;
constexpr int kPolls = 128;
constexpr std::int64_t kStart = 1'790'000'000'000;
constexpr std::int64_t kPollMillis = 60'000;

// Milliseconds: of the clock, and of the CPU alone, which others on the machine do not lengthen.
struct Took {
  double wall = 0;
  double cpu = 0;
  std::string Text() const {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "%.0f ms (%.0f of CPU)", wall, cpu);
    return text.data();
  }
};

double CpuMillis() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto millis = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return millis(usage.ru_utime) + millis(usage.ru_stime);
}

Took Measure(const std::function<void()>& run) {
  const double cpu = CpuMillis();
  const auto begin = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
  return {wall.count(), CpuMillis() - cpu};
}

void KeepSlowest(Took* slowest, const Took& took) {
  slowest->wall = std::max(slowest->wall, took.wall);
  slowest->cpu = std::max(slowest->cpu, took.cpu);
}

std::string ResidentLine() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return line;
  }
  return "VmHWM: not known";
}

double MiB(const std::string& path) {
  std::error_code ignored;
  const auto size = std::filesystem::file_size(path, ignored);
  return ignored ? 0 : static_cast<double>(size) / (1 << 20);
}

void MustBeOk(const fss::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.error().ToString().c_str());
  std::exit(1);  // NOLINT(concurrency-mt-unsafe): one thread
}

std::string LineKey(int line) {
  return "0123456789abcdef0123456789a" + std::to_string(10'000 + line) + "@1790000000000";
}

// Sizes as RocksDB's: some MB, climbing, with noise.
// Appends hold views: the ids of all subjects are there for good.
std::string_view VertexId(int subject) {
  static const std::vector<std::string> ids = [] {
    std::vector<std::string> made;
    for (int s = 0; s < kSubjects; ++s) {
      made.push_back("cbc357ccb763df2852fee8c4fc7d5" + std::to_string(100 + s));
    }
    return made;
  }();
  return ids[static_cast<std::size_t>(subject)];
}

fss::HistoryChanges Poll(int poll, int lines, bool appends) {
  fss::HistoryChanges changes;
  const int each = kSubjects / lines;
  changes.lines.reserve(static_cast<std::size_t>(lines));  // appends point into them
  for (int line = 0; line < lines; ++line) {
    const std::string key = LineKey(line);
    const std::int64_t t_ms = kStart + poll * kPollMillis + line * 7;
    changes.lines.push_back({key,
                             "insert-into_default_catalog.default_database.orders_" + key,
                             {{key.substr(0, 32), kStart, false}},
                             t_ms});
    for (int subject = 0; subject < each && appends; ++subject) {
      const std::int64_t bytes = 5'000'000 + std::int64_t{poll} * 61'003 +
                                 (std::int64_t{subject} * 2'654'435 + poll * 40'503) % 900'000;
      changes.appended.push_back({changes.lines.back().key,
                                  {VertexId(subject), subject % 3 == 0 ? "leftState" : ""},
                                  t_ms,
                                  poll + 1,
                                  bytes});
    }
  }
  return changes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::filesystem::exists(argv[1])) {
    std::fprintf(stderr, "usage: history_bench NEW_FILE [lines]\n");
    return 2;
  }
  const std::string path = argv[1];
  const int lines = std::clamp(argc > 2 ? std::atoi(argv[2]) : 1000, 1, kSubjects);
  const fss::HistoryOptions options{path, "bench"};
  const auto store = fss::NewSqliteHistoryStore(options);
  Took mean;
  Took slowest;
  for (int poll = 0; poll < kPolls; ++poll) {
    const fss::HistoryChanges changes = Poll(poll, lines, true);
    const Took took = Measure([&] { MustBeOk(store->Write(changes)); });
    mean.wall += took.wall / kPolls;
    mean.cpu += took.cpu / kPolls;
    KeepSlowest(&slowest, took);
  }
  std::printf("%d lines, Write of %d appends: mean %s, slowest %s\n", lines, kSubjects,
              mean.Text().c_str(), slowest.Text().c_str());
  std::printf("-wal after that: %.1f MiB\n", MiB(path + "-wal"));
  const fss::HistoryChanges records = Poll(kPolls, lines, false);
  std::printf("Write of %d records alone: %s\n", lines,
              Measure([&] { MustBeOk(store->Write(records)); }).Text().c_str());
  std::printf(
      "Prune with nothing to do: %s\n",
      Measure([&] { MustBeOk(store->Prune(kStart + kPolls * kPollMillis)); }).Text().c_str());
  std::printf("file: %.1f MiB, %.1f bytes a point\n", MiB(path),
              MiB(path) * (1 << 20) / kSubjects / kPolls);

  const auto again = fss::NewSqliteHistoryStore(options);
  std::size_t points = 0;
  std::size_t subjects = 0;
  const Took load = Measure([&] {
    const auto held = again->Lines();
    if (!held.ok()) MustBeOk(held.error());
    for (const fss::LineRecord& line : *held) {
      const auto found = again->Subjects(line.key);
      if (!found.ok()) MustBeOk(found.error());
      subjects += found->size();
      for (const fss::SubjectRecord& subject : *found) points += subject.points.size();
    }
  });
  std::printf("loading %zu subjects with %zu points: %s; %s\n", subjects, points,
              load.Text().c_str(), ResidentLine().c_str());

  fss::HistoryChanges replace;
  for (int line = 0; line < lines; ++line) {
    const auto found = store->Subjects(LineKey(line));
    if (!found.ok()) MustBeOk(found.error());
    for (const fss::SubjectRecord& subject : *found) {
      replace.replaced.push_back({LineKey(line), subject.key, subject.points});
    }
  }
  std::printf("Write that replaces all: %s\n",
              Measure([&] { MustBeOk(store->Write(replace)); }).Text().c_str());
  std::printf(
      "Prune after that: %s; file %.1f MiB\n",
      Measure([&] { MustBeOk(store->Prune(kStart + kPolls * kPollMillis)); }).Text().c_str(),
      MiB(path));

  fss::HistoryOptions tight = options;
  tight.max_bytes = static_cast<std::int64_t>(MiB(path) / 2 * (1 << 20));
  const auto pruned = fss::NewSqliteHistoryStore(tight);
  int calls = 0;
  slowest = {};
  const std::int64_t now_ms = kStart + kPolls * kPollMillis;
  while (calls < 1000 && MiB(path) > static_cast<double>(tight.max_bytes) / (1 << 20) + 1.01) {
    KeepSlowest(&slowest, Measure([&] { MustBeOk(pruned->Prune(now_ms)); }));
    ++calls;
  }
  std::printf("thinned to half the file in %d calls of Prune, slowest %s; file %.1f MiB\n", calls,
              slowest.Text().c_str(), MiB(path));
  return 0;
}
