// For tests of files that may not be read or written.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

namespace fss {

// Root may do everything: for a while this is nobody, where we are root.
class AsNobody {
 public:
  AsNobody() : root_(geteuid() == 0) {
    constexpr uid_t kNobody = 65534;
    if (root_) {
      EXPECT_EQ(seteuid(kNobody), 0);
    }
  }
  ~AsNobody() {
    if (root_) {
      EXPECT_EQ(seteuid(0), 0);
    }
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  bool root_;
};

}  // namespace fss
