// The files of the page at "/", as exporters/http/page has them: cmake/embed_page.cmake writes them
// into the program at build time.
#pragma once

#include <string_view>

namespace fss {

extern const std::string_view kPageHtml;
extern const std::string_view kPageCss;
extern const std::string_view kPageJs;  // all modules of page/js as one script
extern const std::string_view kPageIcon;

}  // namespace fss
