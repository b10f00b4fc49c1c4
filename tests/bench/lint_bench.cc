// What judging a compiled plan takes in one process: reading, judging, writing JSON. Run by hand:
//
//   lint_bench FOLDER… --benchmark_min_time=2
//
// Each folder's plans (*.json below it that are plans) are one benchmark, all of them an iteration.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "collectors/plan_reader.h"
#include "exporters/json/lint_json.h"
#include "sidecar/analysis/plan_lint.h"

namespace {

// The texts of all files that are plans.
std::vector<std::string> PlansBelow(const std::filesystem::path& folder) {
  std::vector<std::string> plans;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json" || !entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (fss::ReadPlan(text, "plan").ok()) plans.push_back(std::move(text));
  }
  return plans;
}

void Judge(benchmark::State& state, const std::vector<std::string>& plans) {
  std::int64_t bytes = 0;
  for (const std::string& plan : plans) bytes += static_cast<std::int64_t>(plan.size());
  for (auto _ : state) {
    for (const std::string& text : plans) {
      std::vector<fss::LintedPlan> judged;
      judged.push_back(fss::LintPlan(*fss::ReadPlan(text, "plan.json")));
      benchmark::DoNotOptimize(fss::LintJson(judged));
    }
  }
  const auto rounds = static_cast<std::int64_t>(state.iterations());
  state.SetItemsProcessed(rounds * static_cast<std::int64_t>(plans.size()));
  state.SetBytesProcessed(rounds * bytes);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::vector<std::string> plans = PlansBelow(argv[i]);
    if (plans.empty()) {
      std::cerr << argv[i] << ": no plans below it\n";
      return 2;
    }
    const std::string name = std::string(argv[i]) + " (" + std::to_string(plans.size()) + " plans)";
    benchmark::RegisterBenchmark(name.c_str(),
                                 [plans](benchmark::State& state) { Judge(state, plans); });
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
