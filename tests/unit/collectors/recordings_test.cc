// The collector over folders of recorded answers (INDEX.tsv: path, HTTP code, content type, bytes,
// file): ours under tests/golden/rest/recorded, and those that FSS_RECORDINGS names a folder of.
// Each is polled twice and compared with a plain reading of the same files.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
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

// path → (status, body)
using Recording = std::map<std::string, std::pair<int, std::string>>;

Recording Load(const fs::path& folder) {
  Recording recording;
  std::ifstream index(folder / "INDEX.tsv");
  std::string line;
  while (std::getline(index, line)) {
    std::istringstream fields(line);
    std::string path;
    std::string code;
    std::string type;
    std::string bytes;
    std::string file;
    std::getline(fields, path, '\t');
    std::getline(fields, code, '\t');
    std::getline(fields, type, '\t');
    std::getline(fields, bytes, '\t');
    std::getline(fields, file, '\t');
    recording[path] = {std::stoi(code), ReadFile(folder / file)};
  }
  return recording;
}

std::vector<fs::path> Folders() {
  std::vector<fs::path> roots = {fs::path(FSS_TEST_DATA) / "rest" / "recorded"};
  if (const char* more = std::getenv("FSS_RECORDINGS")) roots.emplace_back(more);
  std::vector<fs::path> folders;
  for (const fs::path& root : roots) {
    for (const auto& entry : fs::directory_iterator(root)) {
      if (fs::exists(entry.path() / "INDEX.tsv")) folders.push_back(entry.path());
    }
  }
  return folders;
}

rapidjson::Document Parse(const Recording& recording, const std::string& path) {
  rapidjson::Document document;
  const auto found = recording.find(path);
  EXPECT_NE(found, recording.end()) << path;
  if (found != recording.end()) document.Parse(found->second.second);
  EXPECT_TRUE(document.IsObject()) << path;
  return document;
}

// The job's vertices and sizes are those of its answers, read plainly.
void ExpectAsRecorded(const JobSnapshot& job, const Recording& recording) {
  const std::string path = "/jobs/" + job.id;
  const rapidjson::Document plan = Parse(recording, path + "/plan");
  EXPECT_EQ(job.graph.vertices.size(), plan["plan"]["nodes"].Size());
  for (const auto& node : plan["plan"]["nodes"].GetArray()) {
    const JobVertex* vertex = job.graph.FindVertex(node["id"].GetString());
    ASSERT_NE(vertex, nullptr);
    EXPECT_EQ(vertex->parallelism, node["parallelism"].GetInt());
    EXPECT_EQ(vertex->inputs.size(), node.HasMember("inputs") ? node["inputs"].Size() : 0U);
    for (const ChainOperator& op : vertex->chain) EXPECT_FALSE(op.name.empty());
  }
  const rapidjson::Document checkpoints = Parse(recording, path + "/checkpoints");
  ASSERT_TRUE(job.counts);
  EXPECT_EQ(job.counts->completed, checkpoints["counts"]["completed"].GetInt64());
  EXPECT_EQ(job.counts->failed, checkpoints["counts"]["failed"].GetInt64());
  const auto& completed = checkpoints["latest"]["completed"];
  ASSERT_EQ(job.latest.has_value(), completed.IsObject());
  if (!job.latest) return;
  EXPECT_EQ(job.latest->id, completed["id"].GetInt64());
  EXPECT_EQ(job.latest->state_size, completed["state_size"].GetInt64());
  const std::string details =
      path + "/checkpoints/details/" + std::to_string(completed["id"].GetInt64());
  // A checkpoint that completed while the recording was made has no details in it.
  if (recording.count(details) == 0 || recording.at(details).first != 200) return;
  const rapidjson::Document recorded = Parse(recording, details);
  const bool same = recorded["external_path"] == completed["external_path"];
  const std::string prefix = "checkpoint " + std::to_string(job.latest->id) + ":";
  EXPECT_EQ(std::any_of(job.problems.begin(), job.problems.end(),
                        [&prefix](const std::string& line) { return line.starts_with(prefix); }),
            !same);
  if (!same) {
    EXPECT_TRUE(job.latest->vertices.empty()) << "sizes of another job's checkpoint";
    return;
  }
  EXPECT_EQ(job.latest->vertices.size(), recorded["tasks"].MemberCount());
  std::int64_t sum = 0;
  for (const auto& [id, size] : job.latest->vertices) {
    EXPECT_EQ(size.state_size, recorded["tasks"][id]["state_size"].GetInt64());
    EXPECT_NE(job.graph.FindVertex(id), nullptr) << id;
    sum += size.state_size;
  }
  EXPECT_EQ(sum, job.latest->state_size);
}

// The first poll brings the checkpoints of the history whose own details were recorded.
void ExpectFreshAsRecorded(const JobSnapshot& job, const Recording& recording) {
  const std::string path = "/jobs/" + job.id + "/checkpoints";
  const rapidjson::Document checkpoints = Parse(recording, path);
  std::vector<std::int64_t> expected;
  for (const auto& row : checkpoints["history"].GetArray()) {
    if (row["status"] != "COMPLETED" || row["is_savepoint"].GetBool()) continue;
    const auto details = recording.find(path + "/details/" + std::to_string(row["id"].GetInt64()));
    if (details == recording.end() || details->second.first != 200) continue;
    rapidjson::Document recorded;
    recorded.Parse(details->second.second);
    if (recorded["external_path"] == row["external_path"]) {
      expected.insert(expected.begin(), row["id"].GetInt64());
    }
  }
  std::vector<std::int64_t> fresh;
  for (const CompletedCheckpoint& checkpoint : job.fresh) fresh.push_back(checkpoint.id);
  EXPECT_EQ(fresh, expected);
}

TEST(Recordings, AreReadAsTheyStand) {
  const auto folders = Folders();
  ASSERT_FALSE(folders.empty());
  for (const fs::path& folder : folders) {
    SCOPED_TRACE(folder);
    const Recording recording = Load(folder);
    auto client = std::make_unique<ScriptedClient>();
    for (const auto& [path, answer] : recording) {
      client->Answer(path, answer.second, answer.first);
    }
    std::vector<std::unique_ptr<RestClient>> clients;
    clients.push_back(std::move(client));
    FlinkCollector collector("test", std::move(clients), SystemClock());
    const Result<ClusterSnapshot> first = collector.Poll();
    ASSERT_TRUE(first.ok());
    for (const JobSnapshot& job : first->jobs) {
      if (!job.Terminal()) ExpectFreshAsRecorded(job, recording);
    }
    const Result<ClusterSnapshot> snapshot = collector.Poll();
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().ToString();

    EXPECT_EQ(snapshot->flink_version, Parse(recording, "/config")["flink-version"].GetString());
    const rapidjson::Document overview = Parse(recording, "/jobs/overview");
    ASSERT_EQ(snapshot->jobs.size(), overview["jobs"].Size());
    for (const auto& row : overview["jobs"].GetArray()) {
      const auto job = std::find_if(snapshot->jobs.begin(), snapshot->jobs.end(),
                                    [&row](const JobSnapshot& j) { return j.id == row["jid"]; });
      ASSERT_NE(job, snapshot->jobs.end());
      SCOPED_TRACE(job->name);
      EXPECT_EQ(job->name, row["name"].GetString());
      EXPECT_EQ(job->state, row["state"].GetString());
      EXPECT_EQ(job->start_ms, row["start-time"].GetInt64());
      if (job->Terminal()) {
        EXPECT_FALSE(job->latest || job->counts || job->config || job->jobmanager_now_ms);
      } else {
        ExpectAsRecorded(*job, recording);
        EXPECT_TRUE(job->fresh.empty()) << "each once";
      }
    }
  }
}

}  // namespace
}  // namespace fss
