#include "exporters/json/report_json.h"

#include <utility>

#include "exporters/json/finding_json.h"
#include "exporters/json/job_json.h"

namespace fss {
namespace {

void WriteJobs(const Report& report, JobDetail detail, std::string_view job_id,
               JsonWriter* writer) {
  writer->BeginArray("jobs");
  for (const JobReport& job : report.jobs) {
    if (!job_id.empty() && job.id != job_id) {
      continue;
    }
    WriteJob(job, detail, writer);
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
  writer->TextIfAny("error", report.health.last_error);
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
    WriteJobs(report, JobDetail::kAlone, {}, writer);
  });
}

void WriteFindingsJson(const Report& report, JsonSink sink) {
  WriteDocument(report, std::move(sink),
                [&report](JsonWriter* writer) { WriteFindings(report.findings, writer); });
}

void WriteOperatorsJson(const Report& report, std::string_view job_id, JsonSink sink) {
  WriteDocument(report, std::move(sink), [&report, job_id](JsonWriter* writer) {
    WriteJobs(report, JobDetail::kWithOperators, job_id, writer);
  });
}

std::string ScanJson(const Report& report) {
  return JsonText([&report](JsonSink sink) {
    WriteDocument(report, std::move(sink), [&report](JsonWriter* writer) {
      WriteJobs(report, JobDetail::kWithOperators, {}, writer);
      WriteFindings(report.findings, writer);
    });
  });
}

std::string JobsJson(const Report& report) {
  return JsonText([&report](JsonSink sink) { WriteJobsJson(report, std::move(sink)); });
}

std::string FindingsJson(const Report& report) {
  return JsonText([&report](JsonSink sink) { WriteFindingsJson(report, std::move(sink)); });
}

std::string OperatorsJson(const Report& report, std::string_view job_id) {
  return JsonText(
      [&report, job_id](JsonSink sink) { WriteOperatorsJson(report, job_id, std::move(sink)); });
}

}  // namespace fss
