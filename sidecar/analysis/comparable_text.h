// Descriptions of plan nodes, as two plans can be compared by them.
#pragma once

#include <string>
#include <string_view>

namespace fss {

// A description without what changes although the operator does not: numbers of other operators
// ("Join[19]", "[#2]"), names that Flink counts up ("*anonymous_datagen$5*"), and hints for TTLs,
// whose effect the state list shows. Pure; safe from any thread.
std::string ComparableDescription(std::string_view description);

}  // namespace fss
