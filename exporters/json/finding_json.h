// The FINDING of product.md's JSON shapes.
#pragma once

#include <span>
#include <string_view>

#include "exporters/json/json_writer.h"
#include "sidecar/model/finding.h"

namespace fss {

// One finding as an object, with its cluster where that is given.
void WriteFinding(const Finding& finding, JsonWriter* writer, std::string_view cluster = {});

// "findings":[FINDING…]
void WriteFindings(std::span<const Finding> findings, JsonWriter* writer);

}  // namespace fss
