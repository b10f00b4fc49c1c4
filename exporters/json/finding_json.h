// The FINDING of product.md's JSON shapes.
#pragma once

#include <span>

#include "exporters/json/json_writer.h"
#include "sidecar/model/finding.h"

namespace fss {

// One finding as an object.
void WriteFinding(const Finding& finding, JsonWriter* writer);

// "findings":[FINDING…]
void WriteFindings(std::span<const Finding> findings, JsonWriter* writer);

}  // namespace fss
