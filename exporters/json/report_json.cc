#include "exporters/json/report_json.h"

#include <cstdint>
#include <map>
#include <utility>

#include "exporters/json/finding_json.h"
#include "exporters/json/job_json.h"

namespace fss {
namespace {

// By job id and name: ids of zeros occur in several clusters.
using CountsByJob = std::map<std::pair<std::string_view, std::string_view>, FindingCounts>;

CountsByJob CountFindings(const Report& report) {
  CountsByJob counts;
  for (const Finding& finding : report.findings) {
    if (finding.job_id.empty()) continue;
    FindingCounts& of_job = counts[{finding.job_id, finding.job}];
    ++(finding.acknowledged ? of_job.acknowledged
                            : of_job.by_severity[static_cast<std::size_t>(finding.severity)]);
  }
  return counts;
}

// The jobs alone, with the counts of their findings.
void WriteJobList(const Report& report, JsonWriter* writer) {
  static constexpr FindingCounts kNone;
  const CountsByJob counts = CountFindings(report);
  writer->BeginArray("jobs");
  for (const JobReport& job : report.jobs) {
    const auto found = counts.find({job.id, job.name});
    WriteJob(job, JobDetail::kAlone, writer, found == counts.end() ? &kNone : &found->second);
    if (!writer->SendIfLarge()) {
      break;
    }
  }
  writer->EndArray();
}

void WriteJobs(const Report& report, std::string_view job_id, JsonWriter* writer) {
  writer->BeginArray("jobs");
  for (const JobReport& job : report.jobs) {
    if (!job_id.empty() && job.id != job_id) {
      continue;
    }
    WriteJob(job, JobDetail::kWithOperators, writer);
    if (!writer->SendIfLarge()) {
      break;
    }
  }
  writer->EndArray();
}

void WriteHealth(const Report& report, JsonWriter* writer) {
  writer->Bool("up", report.health.up);
  writer->Bool("stale", report.health.stale);
  if (report.taken_ms > 0) {
    writer->Int("taken_ms", report.taken_ms);
  }
  writer->IntIfAny("poll_interval_ms", report.health.poll_interval_ms);
  writer->TextIfAny("error", report.health.last_error);
}

void WriteClusters(const Report& report, JsonWriter* writer) {
  writer->BeginArray("clusters");
  writer->BeginObject();
  writer->Text("cluster", report.cluster);
  writer->TextIfAny("flink_version", report.flink_version);
  WriteHealth(report, writer);
  writer->EndObject();
  writer->EndArray();
}

// The frame of every document; `write_content` fills it.
template <typename WriteContent>
void WriteDocument(const Report& report, JsonSink sink, const WriteContent& write_content) {
  JsonWriter writer(std::move(sink));
  writer.BeginObject();
  write_content(&writer);
  WriteHealth(report, &writer);
  writer.EndObject();
  writer.Finish();
}

}  // namespace

void WriteJobsJson(const Report& report, JsonSink sink) {
  WriteDocument(report, std::move(sink), [&report](JsonWriter* writer) {
    WriteJobList(report, writer);
    WriteClusters(report, writer);
  });
}

void WriteFindingsJson(const Report& report, const FindingsWanted& wanted, JsonSink sink) {
  WriteDocument(report, std::move(sink), [&](JsonWriter* writer) {
    std::int64_t total = 0;
    std::size_t left = wanted.limit;
    writer->BeginArray("findings");
    for (const Finding& finding : report.findings) {
      if (!wanted.job_id.empty() && finding.job_id != wanted.job_id) continue;
      ++total;
      if (left == 0) continue;
      --left;
      WriteFinding(finding, writer);
      if (!writer->SendIfLarge()) break;
    }
    writer->EndArray();
    writer->Int("total", total);
  });
}

void WriteOperatorsJson(const Report& report, std::string_view job_id, JsonSink sink) {
  WriteDocument(report, std::move(sink),
                [&report, job_id](JsonWriter* writer) { WriteJobs(report, job_id, writer); });
}

std::string ScanJson(const Report& report) {
  return JsonText([&report](JsonSink sink) {
    WriteDocument(report, std::move(sink), [&report](JsonWriter* writer) {
      WriteJobs(report, {}, writer);
      WriteFindings(report.findings, writer);
    });
  });
}

std::string JobsJson(const Report& report) {
  return JsonText([&report](JsonSink sink) { WriteJobsJson(report, std::move(sink)); });
}

std::string FindingsJson(const Report& report) {
  return JsonText([&report](JsonSink sink) { WriteFindingsJson(report, {}, std::move(sink)); });
}

std::string OperatorsJson(const Report& report, std::string_view job_id) {
  return JsonText(
      [&report, job_id](JsonSink sink) { WriteOperatorsJson(report, job_id, std::move(sink)); });
}

}  // namespace fss
