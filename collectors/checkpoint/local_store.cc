#include "collectors/checkpoint/local_store.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "collectors/store/file_below.h"

namespace fss {
namespace {

// "file:/a", "file:///a" and "/a" are the path "/a"; empty for another scheme or host.
std::string PathOf(const std::string& address) {
  const std::string scheme = "file:";
  if (address.starts_with(scheme + "///")) return address.substr(scheme.size() + 2);
  if (address.starts_with(scheme + "//")) return "";
  if (address.starts_with(scheme + "/")) return address.substr(scheme.size());
  // A colon before the first slash ends a scheme; a name in a folder may hold one.
  return address.find(':') < address.find('/') ? "" : address;
}

std::string NameOf(const std::string& address) { return address.substr(address.rfind('/') + 1); }

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenLocalFile(const std::string& path,
                                                  std::uint64_t max_bytes) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error) return Error{ErrorCode::kIo, error.message(), ""};
  return OpenFileBelow("/", absolute.string(), max_bytes);
}

Result<std::unique_ptr<ByteSource>> LocalStore::Open(const std::string& address,
                                                     std::uint64_t max_bytes) {
  const std::string path = PathOf(address);
  if (!path.empty()) {
    auto file = OpenLocalFile(path, max_bytes);
    if (file.ok() || file.error().code != ErrorCode::kNotFound) return file;
  }
  auto beside = OpenLocalFile(folder_ + "/" + NameOf(address), max_bytes);
  if (beside.ok() || !path.empty()) return beside;
  return Error{ErrorCode::kInvalidArgument, "is no address of a local file", ""};
}

}  // namespace fss
