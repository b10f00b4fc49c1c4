# cmake -DPAGE=FOLDER -DOUT=FILE.cc -P embed_page.cmake: the page's files as C++ string literals.
#
# The page's modules become one script: what they import of one another stands above, so the imports
# and the word "export" are left out. MODULES gives their order; a name may be used once in all.

set(MODULES format dom sparkline findings graph overview job main)

function(literal name text)
  if(text MATCHES "\\)page\"")
    message(FATAL_ERROR "${name} holds the end of its own literal")
  endif()
  file(APPEND ${OUT}.new "constinit const std::string_view ${name} = R\"page(${text})page\";\n")
endfunction()

set(script "(() => {\n\"use strict\";\n")
foreach(module IN LISTS MODULES)
  file(READ ${PAGE}/js/${module}.js text)
  string(REGEX REPLACE "import {[^}]*} from \"[^\"]*\";\n" "" text "${text}")
  string(REGEX REPLACE "\nexport " "\n" text "${text}")
  string(APPEND script "\n${text}")
endforeach()
string(APPEND script "})();\n")
if(script MATCHES "\n(import|export) ")
  message(FATAL_ERROR "an import or export that is not as embed_page.cmake knows them")
endif()

file(WRITE ${OUT}.new "// Written by cmake/embed_page.cmake.\n"
     "#include \"exporters/http/page_files.h\"\n\nnamespace fss {\n\n")
file(READ ${PAGE}/index.html html)
file(READ ${PAGE}/page.css css)
file(READ ${PAGE}/page.svg icon)
literal(kPageHtml "${html}")
literal(kPageCss "${css}")
literal(kPageJs "${script}")
literal(kPageIcon "${icon}")
file(APPEND ${OUT}.new "\n}  // namespace fss\n")
file(RENAME ${OUT}.new ${OUT})
