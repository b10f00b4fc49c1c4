#include "collectors/store/root_list.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sidecar/base/percent.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kShownEntryBytes = 200;

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// What AWS allows, and the capitals and underscores of other stores: no more than fits into a URL.
bool IsBucketName(std::string_view name) {
  constexpr std::size_t kLeast = 3;
  constexpr std::size_t kMost = 255;
  return name.size() >= kLeast && name.size() <= kMost &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '.' || c == '_';
         });
}

// What is wrong with a place, or nothing.
std::string Objection(const Location& place) {
  if (place.scheme == "s3") {
    return IsBucketName(place.authority) ? "" : "'" + place.authority + "' is no name of a bucket";
  }
  if (place.scheme != "file") {
    return place.scheme + ": cannot be read; give the folder where it is mounted: " + Shown(place) +
           "=/FOLDER";
  }
  return place.authority.empty() ? "" : "a file: URL has no host; write file:///…";
}

Result<CheckpointRoot> ParseEntry(std::string_view entry) {
  const auto refuse = [entry](const std::string& why) {
    return Error{ErrorCode::kInvalidArgument, OneLine(why, kShownEntryBytes),
                 "'" + OneLine(entry, kShownEntryBytes) + "'"};
  };
  const auto equals = entry.find('=');
  const bool maps = equals != std::string_view::npos;
  const std::string_view place_text = maps ? WithoutBlanks(entry.substr(equals + 1)) : entry;
  const auto place = ParseLocation(PercentDecoded(place_text));
  if (!place.ok()) {
    return refuse(maps ? "what comes after '=' " + place.error().message +
                             " (a '=' of a name is written %3D)"
                       : place.error().message);
  }
  if (const std::string why = Objection(*place); !why.empty()) return refuse(why);
  if (!maps) return CheckpointRoot{*place, *place};
  const auto prefix = ParseLocation(PercentDecoded(WithoutBlanks(entry.substr(0, equals))));
  if (!prefix.ok()) return refuse("what comes before '=' " + prefix.error().message);
  return CheckpointRoot{*prefix, *place};
}

}  // namespace

Result<RootList> RootList::Parse(std::string_view text) {
  RootList list;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    const std::string_view entry = WithoutBlanks(text.substr(at, end - at));
    at = end + 1;
    if (entry.empty()) continue;
    Result<CheckpointRoot> root = ParseEntry(entry);
    if (!root.ok()) return root.error();
    list.roots_.push_back(*std::move(root));
  }
  return list;
}

Result<std::optional<RootedFile>> RootList::Resolve(std::string_view address) const {
  Result<Location> location = ParseLocation(address);
  if (!location.ok()) return location.error();
  const CheckpointRoot* best = nullptr;
  for (const CheckpointRoot& root : roots_) {
    if (!IsBelow(root.prefix, *location)) continue;
    if (best == nullptr || root.prefix.path.size() > best->prefix.path.size()) best = &root;
  }
  // The root itself is no file.
  if (best == nullptr || best->prefix.path.size() == location->path.size()) {
    return std::optional<RootedFile>();
  }
  return std::optional<RootedFile>({best, location->path.substr(best->prefix.path.size())});
}

}  // namespace fss
