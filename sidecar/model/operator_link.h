// What ties a running operator to a plan node, and how we know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fss {

// From the strongest proof to none; the words of the JSON are MatchedByName()'s.
enum class MatchedBy {
  kUid,          // its id is the hash of the node's uid, and the descriptions agree
  kDescription,  // equal description text
  kTopology,     // the one place in the graph where this kind stands
  kName,         // no plan: only the kind is known, by the operator's name
  kNone,         // not even that
};

// "uid", "description", "topology", "name", "none".
const char* MatchedByName(MatchedBy how);

struct OperatorLink {
  std::string vertex_id;
  std::size_t chain_index = 0;  // in JobVertex::chain
  MatchedBy how = MatchedBy::kNone;
  std::optional<std::int64_t> node_id;  // in the job's plan; absent for kName and kNone
  // The operator's own id, by which checkpoints know it: the vertex' for a chain's head, for others
  // as the job's checkpoint tells; empty where it does not.
  std::string operator_id;
};

// The outcome for one job.
struct JobLink {
  enum class Outcome {
    kMatched,    // `plan_file` fits
    kNoPlan,     // no plan of the library fits
    kDrifted,    // `plan_file` was this job's, but some operators no longer fit (`details`)
    kAmbiguous,  // several plans fit equally (`candidates`)
  };
  Outcome outcome = Outcome::kNoPlan;
  std::string plan_file;
  MatchedBy how = MatchedBy::kNone;     // the best proof among the links to that plan
  std::vector<std::string> candidates;  // kAmbiguous: all that fit, `plan_file` among them
  // kAmbiguous: the candidates say the same TTL for every operator, so nothing is uncertain.
  bool candidates_agree = false;
  std::vector<std::string> details;  // kDrifted: a line per operator that does not fit
  std::vector<OperatorLink> links;   // one per operator of every chain, in graph order
};

}  // namespace fss
