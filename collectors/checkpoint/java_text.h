// Java's "modified UTF-8", as DataOutput.writeUTF and object streams write it.
#pragma once

#include <string>
#include <string_view>

namespace fss {

// Appends `bytes` to `*out` as UTF-8: NUL and characters beyond U+FFFF are written otherwise
// there; half a surrogate pair becomes U+FFFD. False, with part of it appended, where
// DataInput.readUTF would refuse the bytes.
bool AppendJavaText(std::string_view bytes, std::string* out);

}  // namespace fss
