#include "sidecar/app/fleet/shard.h"

#include <charconv>
#include <optional>

#include "sidecar/base/stable_hash.h"

namespace fss {
namespace {

constexpr std::uint32_t kMaxShards = 10'000;

// The paper's function: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm".
std::uint32_t JumpHash(std::uint64_t key, std::uint32_t buckets) {
  std::int64_t bucket = -1;
  std::int64_t next = 0;
  while (next < static_cast<std::int64_t>(buckets)) {
    bucket = next;
    key = key * 2862933555777941757ULL + 1;
    next = static_cast<std::int64_t>(
        static_cast<double>(bucket + 1) *
        (static_cast<double>(1LL << 31U) / static_cast<double>((key >> 33U) + 1)));
  }
  return static_cast<std::uint32_t>(bucket);
}

std::optional<std::uint32_t> Number(std::string_view text) {
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

}  // namespace

bool Shard::Has(std::string_view name) const {
  return count <= 1 || JumpHash(StableHash(name), count) == index;
}

Result<Shard> ParseShard(std::string_view text, std::string_view hostname) {
  if (text.empty()) return Shard{};
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kInvalidArgument, "'" + std::string(text) + "' " + why, ""};
  };
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return refuse("is not i/n, such as 0/3, or auto/n");
  const auto count = Number(text.substr(slash + 1));
  if (!count || *count < 1 || *count > kMaxShards) return refuse("has no number of shards");
  const std::string_view which = text.substr(0, slash);
  std::optional<std::uint32_t> index = Number(which);
  if (which == "auto") {
    const auto hyphen = hostname.rfind('-');
    if (hyphen != std::string_view::npos) index = Number(hostname.substr(hyphen + 1));
    if (!index) {
      return refuse(
          "needs a host name that ends with a number, as a StatefulSet's pods have; it is '" +
          std::string(hostname) + "'");
    }
  }
  if (!index) return refuse("is not i/n, such as 0/3, or auto/n");
  if (*index >= *count) return refuse("has no such shard: they are counted from 0");
  return Shard{*index, *count};
}

}  // namespace fss
