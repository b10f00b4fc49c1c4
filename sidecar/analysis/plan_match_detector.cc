#include "sidecar/analysis/plan_match_detector.h"

#include <string>
#include <utility>

#include "sidecar/analysis/job_units.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxJobName = 80;  // bytes; a job's name may be its whole SQL
constexpr std::size_t kMaxFileName = 120;

std::string JoinNames(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMaxNamed; ++i) {
    text += (i == 0 ? "" : ", ") + OneLine(names[i], kMaxFileName);
  }
  if (names.size() > kMaxNamed) {
    text += " and " + std::to_string(names.size() - kMaxNamed) + " more";
  }
  return text;
}

struct Stateful {
  std::vector<std::string> by_ttl;     // for how long, only the plan knows
  std::vector<std::string> by_others;  // by watermark or by definition
};

Stateful StatefulOperators(const JobGraph& graph) {
  Stateful stateful;
  KindNames names;
  for (const JobVertex& vertex : graph.vertices) {
    for (const ChainOperator& op : vertex.chain) {
      const OperatorKind* kind = names.Find(op.name);
      if (!KeepsKeyedState(op, kind)) continue;
      const bool by_ttl = kind == nullptr || CleanupOf(NodeOfOperator(op, *kind)) == Cleanup::kTtl;
      (by_ttl ? stateful.by_ttl : stateful.by_others).push_back(op.Label());
    }
  }
  return stateful;
}

Finding JobFinding(const char* code, Severity severity, const std::string& plan) {
  Finding finding;
  finding.code = code;
  finding.severity = severity;
  finding.plan = plan;
  return finding;
}

// COMPILE PLAN's file must not exist: it fails rather than overwrite.
constexpr const char* kHowToCompile =
    "Compile the plan of the job's INSERT (with the SETs and hints it runs with), and put the file "
    "into the folder that --plan_dir names:\n"
    "    COMPILE PLAN 'file:///<plan folder>/<job name>.json' FOR INSERT INTO …;\n"
    "Better still, run the job from it: then every operator is known by its uid, also after the "
    "query has changed.\n"
    "    EXECUTE PLAN 'file:///<plan folder>/<job name>.json';";

// "for how long Join[19] keeps state cannot be told".
std::string WhatIsNotKnown(const Stateful& stateful) {
  if (stateful.by_ttl.empty()) {
    return "its stateful operators are known by name alone (" + JoinNames(stateful.by_others) + ")";
  }
  return "for how long " + JoinNames(stateful.by_ttl) +
         (stateful.by_ttl.size() == 1 ? " keeps" : " keep") + " state cannot be told";
}

Finding Missing(const JobContext& context, const Stateful& stateful) {
  Finding finding = JobFinding("plan-missing",
                               context.plans_configured ? Severity::kWarning : Severity::kInfo, {});
  const std::string job = OneLine(context.job.name, kMaxJobName);
  finding.message = (context.plans_configured ? "No plan of the plan folder fits job " + job
                                              : "No plan folder was given, so the plan of job " +
                                                    job + " is not known") +
                    ": " + WhatIsNotKnown(stateful) + ".";
  finding.advice = kHowToCompile;
  return finding;
}

Finding Ambiguous(const JobContext& context) {
  const JobLink& link = context.link;
  Finding finding =
      JobFinding("plan-ambiguous", link.candidates_agree ? Severity::kInfo : Severity::kWarning,
                 link.plan_file);
  finding.message =
      std::to_string(link.candidates.size()) + " plans fit job " +
      OneLine(context.job.name, kMaxJobName) + " equally (" + JoinNames(link.candidates) + "), " +
      (link.candidates_agree
           ? "and they say the same TTLs."
           : "and they do not say the same TTLs, so where they differ none is shown.");
  finding.advice =
      "Keep the plan that the job runs from, and move the others out of the folder. Or call the "
      "plan after the job (<job name>.json): of plans that fit equally, the one with the job's "
      "name counts.";
  return finding;
}

Finding Drifted(const JobContext& context) {
  const JobLink& link = context.link;
  Finding finding = JobFinding("plan-drift", Severity::kWarning, link.plan_file);
  finding.message =
      "Plan " + OneLine(link.plan_file, kMaxFileName) + " was job " +
      OneLine(context.job.name, kMaxJobName) + "'s, but " +
      (link.details.size() == 1 ? "one operator no longer fits" : "some operators no longer fit") +
      (link.details.empty() ? "." : ": " + link.details.front() + ".");
  for (std::size_t i = 0; i < link.details.size(); ++i) {
    finding.advice += (i == 0 ? "What does not fit:\n    " : "    ") + link.details[i] + "\n";
  }
  finding.advice +=
      "Their TTLs are not shown, because the plan no longer speaks for them. Put the plan that the "
      "job now runs from into the folder.\n" +
      std::string(kHowToCompile);
  return finding;
}

}  // namespace

void PlanMatchDetector::Inspect(const JobContext& context, std::vector<Finding>* findings) const {
  switch (context.link.outcome) {
    case JobLink::Outcome::kMatched:
      return;
    case JobLink::Outcome::kAmbiguous:
      findings->push_back(Ambiguous(context));
      return;
    case JobLink::Outcome::kDrifted:
      findings->push_back(Drifted(context));
      return;
    case JobLink::Outcome::kNoPlan:
      break;
  }
  const Stateful stateful = StatefulOperators(context.job.graph);
  if (stateful.by_ttl.empty() && stateful.by_others.empty()) return;
  findings->push_back(Missing(context, stateful));
}

}  // namespace fss
