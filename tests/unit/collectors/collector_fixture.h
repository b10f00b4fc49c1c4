// A FlinkCollector over scripted JobManagers and a clock that tests set, and answers as Flink
// writes them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "collectors/flink_collector.h"
#include "tests/unit/collectors/scripted_client.h"

namespace fss {

inline const std::string kA(32, 'a');
inline const std::string kB(32, 'b');
inline const std::string kZero(32, '0');
inline const std::string kVertex = "954f225e14f8b7cc24d230ce17e39a2e";

class FakeClock final : public Clock {
 public:
  std::int64_t WallMillis() const override { return 1'700'000'000'000 + elapsed_; }
  std::int64_t MonotonicMillis() const override { return 1 + elapsed_; }
  void Advance(std::int64_t millis) { elapsed_ += millis; }

 private:
  std::int64_t elapsed_ = 0;
};

inline std::string Row(const std::string& id, const std::string& state, int start = 1000) {
  return R"({"jid":")" + id + R"(","name":"job )" + id.substr(0, 1) + R"(","state":")" + state +
         R"(","start-time":)" + std::to_string(start) +
         R"(,"end-time":-1,"duration":500,"tasks":{"total":2,"running":2}})";
}

inline std::string JoinedByComma(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ",") + parts[i];
  return text;
}

inline std::string Overview(const std::vector<std::string>& rows) {
  return "{\"jobs\":[" + JoinedByComma(rows) + "]}";
}

inline std::string Completed(int id, std::int64_t size, const std::string& path,
                             const std::string& tasks = "{}", bool savepoint = false) {
  return R"({"className":"completed","id":)" + std::to_string(id) +
         R"(,"status":"COMPLETED","is_savepoint":)" + (savepoint ? "true" : "false") +
         R"(,"trigger_timestamp":)" + std::to_string(id * 1000) + R"(,"latest_ack_timestamp":)" +
         std::to_string(id * 1000 + 9) + R"(,"checkpointed_size":1,"state_size":)" +
         std::to_string(size) + R"(,"external_path":")" + path + R"(","tasks":)" + tasks + "}";
}

// A /checkpoints answer; `history` newest first, as Flink has it.
inline std::string Checkpoints(const std::string& latest, const std::vector<std::string>& history) {
  return R"({"counts":{"restored":0,"total":1,"in_progress":0,"completed":1,"failed":0},)"
         R"("latest":{"completed":)" +
         latest + R"(,"savepoint":null,"failed":null,"restored":null},"history":[)" +
         JoinedByComma(history) + "]}";
}

inline std::string Checkpoints(const std::string& row) {
  return Checkpoints(row,
                     row == "null" ? std::vector<std::string>() : std::vector<std::string>{row});
}

inline std::string Task(const std::string& vertex, std::int64_t size) {
  return "\"" + vertex + "\":{\"state_size\":" + std::to_string(size) + "}";
}

inline const std::string kPlan =
    R"({"plan":{"nodes":[{"id":")" + kVertex +
    R"(","parallelism":2,"description":"[3]:GroupAggregate(groupBy=[k])<br/>"}]}})";

inline std::string Config(const std::string& backend) {
  return R"({"interval":2000,"state_backend":")" + backend + R"(","unaligned_checkpoints":false})";
}
// Of a backend about which nothing more is asked.
inline const std::string kConfig = Config("OtherStateBackend");

class CollectorFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    jm_.clear();
    std::vector<std::unique_ptr<RestClient>> clients;
    for (const char* url : {"http://jm-1", "http://jm-2"}) {
      auto client = std::make_unique<ScriptedClient>(url);
      jm_.push_back(client.get());
      clients.push_back(std::move(client));
      jm_.back()->Answer("/config", R"({"flink-version":"2.3.0"})");
    }
    collector_ = std::make_unique<FlinkCollector>("prod", std::move(clients), clock_);
  }

  static std::string Place(const std::string& job, int id) {
    return "s3://" + job + "/chk-" + std::to_string(id);
  }
  static std::string DetailsPath(const std::string& job, int id) {
    return "/jobs/" + job + "/checkpoints/details/" + std::to_string(id);
  }

  // A job with plan and configuration at the first JobManager.
  void Plan(const std::string& job, const std::string& config = kConfig,
            const std::string& plan = kPlan) {
    jm_[0]->Answer("/jobs/" + job + "/plan", plan);
    jm_[0]->Answer("/jobs/" + job + "/checkpoints/config", config);
  }
  // Its checkpoints `first` to `last`, all in the history, all with details: `tasks`, or one
  // vertex that holds all.
  void History(const std::string& job, int first, int last, std::int64_t size = 100,
               std::string tasks = "") {
    if (tasks.empty()) tasks = Task(kVertex, size);
    std::vector<std::string> rows;
    for (int id = last; id >= first; --id) {
      rows.push_back(Completed(id, size, Place(job, id)));
      jm_[0]->Answer(DetailsPath(job, id), Completed(id, size, Place(job, id), "{" + tasks + "}"));
    }
    jm_[0]->Answer("/jobs/" + job + "/checkpoints", Checkpoints(rows[0], rows));
  }
  // All of it with checkpoint `id` alone.
  void Job(const std::string& job, int id, std::int64_t size = 100) {
    Plan(job);
    History(job, id, id, size);
  }
  void Jobs(const std::vector<std::string>& rows) {
    jm_[0]->Answer("/jobs/overview", Overview(rows));
  }
  ClusterSnapshot Poll() {
    const auto snapshot = collector_->Poll();
    EXPECT_TRUE(snapshot.ok()) << snapshot.error().ToString();
    return snapshot.ok() ? *snapshot : ClusterSnapshot();
  }
  // What the first JobManager was asked since the last call, of paths that hold `part`.
  std::vector<std::string> Asked(const std::string& part) {
    std::vector<std::string> asked = jm_[0]->TakeAsked();
    asked.erase(std::remove_if(asked.begin(), asked.end(),
                               [&part](const std::string& path) {
                                 return path.find(part) == std::string::npos;
                               }),
                asked.end());
    return asked;
  }

  FakeClock clock_;
  std::vector<ScriptedClient*> jm_;
  std::unique_ptr<FlinkCollector> collector_;
};

}  // namespace fss
