// Polls a JobManager with the collector alone and prints what a poll takes: the share of the REST
// client and the readers in tests/bench/poll_bench.py's numbers.
//
//   collector_bench http://localhost:8081 [polls]
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "collectors/counting_client.h"
#include "collectors/flink_collector.h"

namespace {

double CpuMillis() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto millis = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return millis(usage.ru_utime) + millis(usage.ru_stime);
}

std::string ResidentLine() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return line;
  }
  return "VmRSS: not known";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: collector_bench URL [polls]\n");
    return 2;
  }
  auto client = fss::NewCppRestClient(argv[1], {});
  if (!client.ok()) {
    std::fprintf(stderr, "%s\n", client.error().ToString().c_str());
    return 2;
  }
  fss::RestCounters counters;
  std::vector<std::unique_ptr<fss::RestClient>> clients;
  clients.push_back(fss::NewCountingRestClient(std::move(*client), &counters));
  fss::FlinkCollector collector("bench", std::move(clients), fss::SystemClock());
  const int polls = argc > 2 ? std::atoi(argv[2]) : 10;
  for (int i = 0; i < polls; ++i) {
    const auto requests_before = counters.requests["2xx"];
    const double cpu_before = CpuMillis();
    const auto begin = std::chrono::steady_clock::now();
    const auto snapshot = collector.PollInPlace();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (!snapshot.ok()) {
      std::fprintf(stderr, "%s\n", snapshot.error().ToString().c_str());
      return 1;
    }
    std::printf("poll %d: %.1f ms, %.1f ms of CPU, %zu jobs, %llu good answers, %s\n", i,
                took.count(), CpuMillis() - cpu_before, (*snapshot)->jobs.size(),
                static_cast<unsigned long long>(counters.requests["2xx"] - requests_before),
                ResidentLine().c_str());
  }
  return 0;
}
