// The sentences of `diff` about state that a restore finds, loses, or gives to a stranger.
// Pure functions; safe from any thread.
#pragma once

#include <string>

#include "sidecar/analysis/state_holders.h"

namespace fss {

// Operators that are another one's by right and have its uid: "Join[19]"; empty: none.
struct Strangers {
  std::string taker;  // of the new plan: takes the old state of this operator
  std::string giver;  // of the old plan: its state is taken by this operator
};

// "leftState of Join[19]"; the operator alone where `state` is empty.
std::string PlaceText(const std::string& state, const std::string& label);

// One entry of an operator that is found again.
std::string NewEntryText(const std::string& place);
std::string LostEntryText(const std::string& place);

// An operator that is found again with another text; `what`: what changed in it, sentences.
std::string ChangedText(const std::string& label, const std::string& uid, const std::string& what,
                        bool fits);

// There is no old state.
std::string AddedText(const std::string& place, const StateHolder& now);
// Nothing of the new plan has the old uid. `now`: what the operator is there, if it is there.
std::string LostText(const std::string& place, const StateHolder& before, const StateHolder* now);
// Its uid, old or new, is a stranger's in the other plan. Either holder may be missing.
std::string StrangersText(const std::string& place, const StateHolder* before,
                          const StateHolder* now, const Strangers& strangers);

}  // namespace fss
