#include "exporters/json/report_json.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "exporters/json/finding_json.h"
#include "exporters/json/job_json.h"

namespace fss {
namespace {

std::shared_ptr<const Report> Shared(const Report& report) {
  return std::make_shared<const Report>(report);
}

const std::string& TroubleOf(const Fleet& fleet) { return fleet.own.report->health.last_error; }

using Reports = std::vector<const Report*>;

Reports Chosen(const Fleet& fleet, const JsonFilter& filter) {
  Reports reports;
  reports.reserve(fleet.clusters.size());
  for (const auto& view : fleet.clusters) {
    if (filter.cluster.empty() || view->report->cluster == filter.cluster) {
      reports.push_back(view->report.get());
    }
  }
  return reports;
}

// By job id and name: an id may be that of several jobs over time.
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

// Jobs alone have the counts of their findings; those with operators stand beside the findings.
void WriteJobs(const Reports& reports, JobDetail detail, std::string_view job_id,
               JsonWriter* writer) {
  static constexpr FindingCounts kNone;
  const bool counted = detail == JobDetail::kAlone;
  writer->BeginArray("jobs");
  for (const Report* report : reports) {
    const CountsByJob counts = counted ? CountFindings(*report) : CountsByJob();
    for (const JobReport& job : report->jobs) {
      if (!job_id.empty() && job.id != job_id) continue;
      const auto found = counts.find({job.id, job.name});
      const FindingCounts* of_job = found == counts.end() ? &kNone : &found->second;
      WriteJob(job, detail, writer, counted ? of_job : nullptr);
      if (!writer->SendIfLarge()) return writer->EndArray();
    }
  }
  writer->EndArray();
}

struct Told {
  const Finding* finding = nullptr;
  const Report* report = nullptr;
};

// The gravest first over all clusters, as they are within each.
std::vector<Told> FindingsOf(const Reports& reports, std::string_view job_id) {
  std::vector<Told> findings;
  for (const Report* report : reports) {
    for (const Finding& finding : report->findings) {
      if (job_id.empty() || finding.job_id == job_id) findings.push_back({&finding, report});
    }
  }
  if (reports.size() > 1) {
    std::ranges::stable_sort(findings, std::ranges::greater(),
                             [](const Told& told) { return told.finding->severity; });
  }
  return findings;
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

// One word for all of them; for one cluster it is its own. `trouble`: of finding them.
void WriteHealth(const Reports& reports, const std::string& trouble, JsonWriter* writer) {
  Report all;
  all.health.up = trouble.empty();
  all.health.last_error = trouble;
  for (const Report* report : reports) {
    all.health.up = all.health.up && report->health.up;
    all.health.stale = all.health.stale || report->health.stale;
    all.health.poll_interval_ms = report->health.poll_interval_ms;  // one for all
    if (report->taken_ms > 0 && (all.taken_ms == 0 || report->taken_ms < all.taken_ms)) {
      all.taken_ms = report->taken_ms;
    }
    if (all.health.last_error.empty()) {
      all.health.last_error = report->health.last_error;
    }
  }
  WriteHealth(all, writer);
}

// The frame of every document; `write_content` fills it.
template <typename WriteContent>
void WriteDocument(const Reports& reports, const std::string& trouble, JsonSink sink,
                   const WriteContent& write_content) {
  JsonWriter writer(std::move(sink));
  writer.BeginObject();
  write_content(&writer);
  WriteHealth(reports, trouble, &writer);
  writer.EndObject();
  writer.Finish();
}

}  // namespace

void WriteJobsJson(const Fleet& fleet, const JsonFilter& filter, JsonSink sink) {
  const Reports reports = Chosen(fleet, filter);
  WriteDocument(reports, TroubleOf(fleet), std::move(sink), [&](JsonWriter* writer) {
    WriteJobs(reports, JobDetail::kAlone, filter.job_id, writer);
  });
}

void WriteFindingsJson(const Fleet& fleet, const JsonFilter& filter, JsonSink sink) {
  const Reports reports = Chosen(fleet, filter);
  WriteDocument(reports, TroubleOf(fleet), std::move(sink), [&](JsonWriter* writer) {
    const std::vector<Told> findings = FindingsOf(reports, filter.job_id);
    std::size_t left = filter.limit;
    writer->BeginArray("findings");
    for (const Told& told : findings) {
      if (left-- == 0) break;
      WriteFinding(*told.finding, writer,
                   fleet.discovered ? told.report->cluster : std::string_view());
      if (!writer->SendIfLarge()) break;
    }
    writer->EndArray();
    writer->Int("total", static_cast<std::int64_t>(findings.size()));
  });
}

void WriteOperatorsJson(const Fleet& fleet, const JsonFilter& filter, JsonSink sink) {
  const Reports reports = Chosen(fleet, filter);
  WriteDocument(reports, TroubleOf(fleet), std::move(sink), [&](JsonWriter* writer) {
    WriteJobs(reports, JobDetail::kWithOperators, filter.job_id, writer);
  });
}

void WriteClustersJson(const Fleet& fleet, const JsonFilter& filter, JsonSink sink) {
  const Reports reports = Chosen(fleet, filter);
  WriteDocument(reports, TroubleOf(fleet), std::move(sink), [&](JsonWriter* writer) {
    writer->BeginArray("clusters");
    for (const Report* report : reports) {
      writer->BeginObject();
      writer->Text("cluster", report->cluster);
      WriteHealth(*report, writer);
      writer->TextIfAny("flink_version", report->flink_version);
      writer->Int("jobs", static_cast<std::int64_t>(report->jobs.size()));
      writer->Int("findings", static_cast<std::int64_t>(report->findings.size()));
      writer->EndObject();
      if (!writer->SendIfLarge()) {
        break;
      }
    }
    writer->EndArray();
  });
}

std::string ScanJson(const Report& report) {
  return JsonText([&report](JsonSink sink) {
    WriteDocument({&report}, {}, std::move(sink), [&report](JsonWriter* writer) {
      WriteJobs({&report}, JobDetail::kWithOperators, {}, writer);
      WriteFindings(report.findings, writer);
    });
  });
}

std::string JobsJson(const Report& report) {
  return JsonText([&report](JsonSink sink) {
    WriteJobsJson(*FleetOf(Shared(report), {}), {}, std::move(sink));
  });
}

std::string FindingsJson(const Report& report) {
  return JsonText([&report](JsonSink sink) {
    WriteFindingsJson(*FleetOf(Shared(report), {}), {}, std::move(sink));
  });
}

std::string OperatorsJson(const Report& report, std::string_view job_id) {
  return JsonText([&report, job_id](JsonSink sink) {
    WriteOperatorsJson(*FleetOf(Shared(report), {}), {{}, job_id}, std::move(sink));
  });
}

}  // namespace fss
