// Text in XML 1.0.
#pragma once

#include <string>
#include <string_view>

namespace fss {

// `text` as it may stand between tags or in an attribute in double quotes. Markup is escaped;
// characters that XML 1.0 forbids even as references (control characters, U+FFFE, U+FFFF) and bytes
// that are no UTF-8 become U+FFFD; tabs and line breaks are references, so that no parser makes
// blanks of them. Pure; safe from any thread.
std::string XmlText(std::string_view text);

}  // namespace fss
