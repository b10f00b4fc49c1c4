#include "collectors/descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace fss {

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

Error SystemError(int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return Error{missing ? ErrorCode::kNotFound : ErrorCode::kIo,
               std::generic_category().message(error), ""};
}

}  // namespace fss
