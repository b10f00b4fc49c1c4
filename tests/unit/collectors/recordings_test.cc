// The collector over folders of recorded answers (INDEX.tsv: path, HTTP code, content type, bytes,
// file). The folders under tests/golden/rest/recorded are ours; FSS_RECORDINGS may name a folder
// of more.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "collectors/flink_collector.h"
#include "tests/unit/collectors/scripted_client.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::unique_ptr<ScriptedClient> Replay(const fs::path& folder) {
  auto client = std::make_unique<ScriptedClient>();
  std::ifstream index(folder / "INDEX.tsv");
  std::string line;
  while (std::getline(index, line)) {
    std::istringstream fields(line);
    std::string path, code, type, bytes, file;
    std::getline(fields, path, '\t');
    std::getline(fields, code, '\t');
    std::getline(fields, type, '\t');
    std::getline(fields, bytes, '\t');
    std::getline(fields, file, '\t');
    client->Answer(path, ReadFile(folder / file), std::stoi(code));
  }
  return client;
}

void Print(const ClusterSnapshot& snapshot) {
  std::cout << "version " << snapshot.flink_version << "\n";
  for (const JobSnapshot& job : snapshot.jobs) {
    std::cout << job.id << " " << job.state << " '" << job.name << "' tasks "
              << job.tasks_running.value_or(-1) << "/" << job.tasks_total.value_or(-1) << " now "
              << job.jobmanager_now_ms.value_or(-1) << " hist " << job.history.size() << " fsc "
              << job.failed_since_completed << " problems " << job.problems.size() << "\n";
    for (const auto& problem : job.problems) std::cout << "   ! " << problem << "\n";
    if (job.config) {
      std::cout << "   config " << job.config->state_backend << " "
                << job.config->interval_ms.value_or(-1) << "\n";
    }
    if (job.latest) {
      std::cout << "   latest " << job.latest->id << " size " << job.latest->state_size << " "
                << job.latest->vertices.size() << " vertices\n";
    }
    if (job.latest_restored) std::cout << "   restored " << job.latest_restored->id << "\n";
    if (job.latest_failed) {
      std::cout << "   failed " << job.latest_failed->id << " " << job.latest_failed->reason
                << "\n";
    }
    for (const JobVertex& vertex : job.graph.vertices) {
      std::cout << "   " << vertex.id << " p" << vertex.parallelism << " in "
                << vertex.inputs.size();
      for (const ChainOperator& op : vertex.chain) {
        std::cout << " | " << op.Label() << " <" << (op.parent ? std::to_string(*op.parent) : "-")
                  << "> {" << op.description << "}";
      }
      std::cout << "\n";
    }
  }
}

TEST(Recordings, Shared) {
  const char* root = std::getenv("FSS_RECORDINGS");
  if (root == nullptr) GTEST_SKIP() << "FSS_RECORDINGS is not set";
  for (const auto& entry : fs::directory_iterator(root)) {
    if (!fs::exists(entry.path() / "INDEX.tsv")) continue;
    std::cout << "=== " << entry.path() << "\n";
    std::vector<std::unique_ptr<RestClient>> clients;
    clients.push_back(Replay(entry.path()));
    FlinkCollector collector("test", std::move(clients), SystemClock());
    const Result<ClusterSnapshot> snapshot = collector.Poll();
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().ToString();
    Print(*snapshot);
  }
}

}  // namespace
}  // namespace fss
