#include "sidecar/analysis/restore_texts.h"

namespace fss {
namespace {

constexpr const char* kLeaveOut =
    "Flink refuses the savepoint unless it is told to leave out what it does not find "
    "(--allowNonRestoredState)";

std::string Quoted(const std::string& uid) { return "'" + uid + "'"; }

// How surely there is old state at all.
std::string IfAny(const StateHolder& holder) {
  if (holder.certain) return {};
  return holder.connector ? " if the connector keeps state" : " if this operator keeps state";
}

// What starting without old state means.
std::string Empty(const StateHolder& holder) {
  if (!holder.connector) return "it starts empty";
  return holder.transformation == "source" ? "it reads from where its table says"
                                           : "it starts without open transactions";
}

}  // namespace

std::string PlaceText(const std::string& state, const std::string& label) {
  return state.empty() ? label : state + " of " + label;
}

std::string NewEntryText(const std::string& place) {
  return place +
         " was not there before: it starts empty, beside the old state of the other "
         "entries.";
}

std::string LostEntryText(const std::string& place) {
  return place + " is no longer there: Flink starts, and silently leaves out what was in it.";
}

std::string ChangedText(const std::string& label, const std::string& uid, const std::string& what,
                        bool fits) {
  const std::string found = label + " has the uid " + Quoted(uid) +
                            " as before, so Flink gives it the old state. " + what + ".";
  return fits ? found
              : found +
                    " The state's schema may differ: do not restore this operator from the old "
                    "job's savepoint.";
}

std::string AddedText(const std::string& place, const StateHolder& now) {
  return place + " is new: no state of the old job has its uid " + Quoted(now.uid) + ", so " +
         Empty(now) + ".";
}

std::string LostText(const std::string& place, const StateHolder& before, const StateHolder* now) {
  std::string text = place;
  if (now != nullptr) {
    text += " is the same operator under another number: its uid was " + Quoted(before.uid) +
            ", is " + Quoted(now->uid) + ", and state is found by uid alone";
  } else {
    text += " is no longer there: nothing in the new plan has the uid " + Quoted(before.uid);
  }
  text += ". Its old state is lost" + IfAny(before) + "; " + kLeaveOut;
  if (now == nullptr) return text + ".";
  return text + ", and then " + Empty(before) +
         ". To keep the state, keep the numbers: edit the old plan instead of compiling anew.";
}

std::string StrangersText(const std::string& place, const StateHolder* before,
                          const StateHolder* now, const Strangers& strangers) {
  std::string text = place;
  if (before == nullptr) {
    text += " is new";
  } else if (now == nullptr) {
    text += " is no longer there";
  } else {
    text += " is the same operator under another number (its uid was " + Quoted(before->uid) +
            ", is " + Quoted(now->uid) + ")";
  }
  if (before != nullptr && !strangers.taker.empty()) {
    text += ", and its old uid " + Quoted(before->uid) + " now is that of " + strangers.taker +
            ", another operator: Flink gives its old state to that one";
  }
  if (now != nullptr && !strangers.giver.empty()) {
    text += std::string(strangers.taker.empty() ? "," : "; and") + " its new uid " +
            Quoted(now->uid) + " was that of " + strangers.giver +
            ", another operator, whose old state it would get";
  }
  text +=
      ". Flink compares the types of keys and values alone: where they differ it refuses the "
      "savepoint (StateMigrationException), and where they do not, it starts with wrong results. "
      "Do not restore this plan from the old job's savepoint.";
  return text;
}

}  // namespace fss
