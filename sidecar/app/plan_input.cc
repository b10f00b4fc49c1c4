#include "sidecar/app/plan_input.h"

#include <array>
#include <iostream>

#include "collectors/plan_reader.h"

namespace fss {
namespace {

// Reads one byte more than the limit, so that what is too large is told, not cut.
std::string ReadStandardInput() {
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (text.size() <= kMaxPlanBytes && std::cin) {
    std::cin.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(std::cin.gcount()));
  }
  return text;
}

}  // namespace

Result<CompiledPlan> ReadNamedPlan(const std::string& file) {
  return file == kStandardInput ? ReadPlan(ReadStandardInput(), file) : ReadPlanFile(file, file);
}

}  // namespace fss
