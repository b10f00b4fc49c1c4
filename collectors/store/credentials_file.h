// The shared credentials file of AWS' SDKs and tools ("~/.aws/credentials").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "collectors/bounded_file.h"
#include "collectors/store/aws_credentials.h"
#include "sidecar/base/result.h"

namespace fss {

// The keys of `[profile]` in the text of such a file: "name = value" lines; lines that begin with
// '#' or ';', and what follows " #" or " ;", are comments; an indented line is part of another
// setting. kNotFound when there is no such profile, kMalformed when it has no key (it may have a
// role or a process, which are not supported). No error repeats anything of the text.
Result<AwsCredentials> ParseCredentialsFile(std::string_view text, std::string_view profile);

// Reads the file when it has changed. Not thread-safe.
class CredentialsFile : public CredentialSource {
 public:
  CredentialsFile(std::string path, std::string profile);
  // What the file says now; the file's name is the context of the errors.
  Result<AwsCredentials> Get() override;

 private:
  const std::string path_;
  const std::string profile_;
  std::optional<FileIdentity> read_;  // absent: nothing was read, or it changed meanwhile
  Result<AwsCredentials> credentials_;
};

}  // namespace fss
