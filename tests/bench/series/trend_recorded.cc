// Judges recorded series as replay does: `trend_recorded DIR…`, each with
// series.jsonl and, when there, plan.json, job-plan.json and
// checkpoints-config.json. Prints, per vertex and state entry, the verdict
// after the last checkpoint and every change on the way. `--no_live` leaves
// RocksDB's live sizes out, `--no_plan` the TTLs.
#include <rapidjson/document.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sidecar/analysis/trend.h"
#include "sidecar/base/flink_duration.h"

namespace fss::bench {
namespace {

// As the operator catalogue has it for a GROUP BY on RocksDB.
constexpr double kGroupByBookkeepingBytes = 512;

struct Options {
  bool live = true;
  bool plan = true;
};

std::string Slurp(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

rapidjson::Document Parse(const std::string& text) {
  rapidjson::Document document;
  document.Parse(text.c_str());
  return document;
}

// TTL by node id and entry name.
using Ttls = std::map<std::string, std::map<std::string, std::int64_t>>;

Ttls ReadTtls(const std::string& dir) {
  Ttls ttls;
  const auto plan = Parse(Slurp(dir + "/plan.json"));
  if (!plan.IsObject() || !plan.HasMember("nodes")) return ttls;
  for (const auto& node : plan["nodes"].GetArray()) {
    if (!node.HasMember("state")) continue;
    for (const auto& entry : node["state"].GetArray()) {
      const Result<std::int64_t> ttl = ParseFlinkDuration(entry["ttl"].GetString(), true);
      if (!ttl.ok()) continue;
      ttls[std::to_string(node["id"].GetInt64())][entry["name"].GetString()] = ttl.value();
    }
  }
  return ttls;
}

// The first node of a vertex that the plan gives state entries.
std::string NodeOf(const std::string& description, const Ttls& ttls) {
  for (const auto& [id, entries] : ttls) {
    if (description.find('[' + id + "]:") != std::string::npos) return id;
  }
  return {};
}

struct Line {
  TrendTracker tracker;
  TrendContext context;
  Verdict last = Verdict::kUnknown;
  std::string changes;
};

void Add(Line& line, std::int64_t t, double bytes, std::size_t index) {
  line.tracker.line().Add(t, static_cast<std::int64_t>(bytes));
  const Verdict now = line.tracker.Update(line.context).verdict;
  if (now != line.last) {
    line.changes += ' ' + std::to_string(index) + ':' + VerdictName(now);
  }
  line.last = now;
}

void Print(const std::string& name, const Line& line) {
  const Trend& t = line.tracker.trend();
  std::printf(
      "  %-60s %-9s %8.0f B/s level %10.0f plateau %12.0f past_ttl %d  "
      "changes:%s\n",
      name.c_str(), VerdictName(t.verdict), t.bytes_per_second.value_or(0),
      t.level_bytes.value_or(0), t.plateau_bytes.value_or(0), t.past_ttl ? 1 : 0,
      line.changes.c_str());
}

const char* EntryOfState(const std::string& metric) {
  if (metric.find(".left-records.") != std::string::npos) return "leftState";
  if (metric.find(".right-records.") != std::string::npos) return "rightState";
  if (metric.find(".accState.") != std::string::npos) return "groupAggregateState";
  return nullptr;
}

void JudgeDir(const std::string& dir, const Options& options) {
  const Ttls ttls = options.plan ? ReadTtls(dir) : Ttls{};
  const bool rocksdb = Slurp(dir + "/checkpoints-config.json").find("RocksDB") != std::string::npos;
  std::map<std::string, std::string> nodes;
  const auto job = Parse(Slurp(dir + "/job-plan.json"));
  for (const auto& node : job["plan"]["nodes"].GetArray()) {
    nodes[node["id"].GetString()] = NodeOf(node["description"].GetString(), ttls);
  }
  std::map<std::string, Line> lines;
  std::ifstream in(dir + "/series.jsonl");
  std::string text;
  for (std::size_t index = 0; std::getline(in, text); ++index) {
    const auto row = Parse(text);
    if (!row.IsObject() || (row.HasMember("is_savepoint") && row["is_savepoint"].GetBool()))
      continue;
    const std::int64_t t = row["t"].GetInt64();
    for (const auto& task : row["tasks"].GetObject()) {
      const std::string vertex = task.name.GetString();
      const auto entries = ttls.find(nodes[vertex]);
      Line& line = lines[vertex];
      std::int64_t longest = 0;
      bool forever = entries == ttls.end();
      for (const auto& [name, ttl] :
           forever ? std::map<std::string, std::int64_t>{} : entries->second) {
        forever |= ttl == 0;
        longest = std::max(longest, ttl);
      }
      line.context.ttl_ms = forever ? 0 : longest;
      line.context.bookkeeping_bytes_per_checkpoint = rocksdb ? kGroupByBookkeepingBytes : 0;
      Add(line, t, task.value["state_size"].GetDouble(), index);
      if (!options.live || !row.HasMember("rocks") || !row["rocks"].HasMember(vertex.c_str()))
        continue;
      for (const auto& metric : row["rocks"][vertex.c_str()].GetObject()) {
        const std::string name = metric.name.GetString();
        const char* entry = EntryOfState(name);
        if (entry == nullptr || name.find("live-data-size") == std::string::npos) continue;
        Line& live = lines[vertex + ' ' + entry];
        if (entries != ttls.end() && entries->second.count(entry) > 0) {
          live.context.ttl_ms = entries->second.at(entry);
        }
        Add(live, t, metric.value.GetDouble(), index);
      }
    }
  }
  std::printf("%s\n", dir.c_str());
  for (const auto& [name, line] : lines) Print(name, line);
}

}  // namespace
}  // namespace fss::bench

int main(int argc, char** argv) {
  fss::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--no_live") == 0) {
      options.live = false;
    } else if (std::strcmp(argv[i], "--no_plan") == 0) {
      options.plan = false;
    } else {
      fss::bench::JudgeDir(argv[i], options);
    }
  }
  return 0;
}
