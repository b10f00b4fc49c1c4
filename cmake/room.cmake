# One target per room, with the same strict flags for all.

add_library(fss_flags INTERFACE)
target_compile_options(fss_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wnon-virtual-dtor -Werror)
target_include_directories(fss_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(fss_flags INTERFACE FSS_VERSION="${PROJECT_VERSION}"
                                               RAPIDJSON_HAS_STDSTRING=1)
if(FSS_SANITIZE)
  target_compile_options(fss_flags INTERFACE -fsanitize=${FSS_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
  target_link_options(fss_flags INTERFACE -fsanitize=${FSS_SANITIZE})
endif()

# fss_together(target): its sources compile in groups (CMAKE_UNITY_BUILD), each of one folder, so that
# what they include is read once and not once for each: less than half the time. Hence a name in an
# anonymous namespace is used once in a folder. That each source stands alone, too, is a gate
# (tests/gates/tidy.py).
set(FSS_TOGETHER 40)  # larger groups would leave a core idle at the end
function(fss_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    math(EXPR part "${in_${group}} + 0")
    math(EXPR in_${group} "${part} + 1")
    math(EXPR part "${part} / ${FSS_TOGETHER}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
endfunction()

# fss_room(name folder LINKS …): every source below the folder, main.cc apart.
function(fss_room name folder)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  add_library(fss_${name} STATIC ${sources})
  fss_together(fss_${name})
  target_link_libraries(fss_${name} PUBLIC fss_flags ${ARG_LINKS} Threads::Threads)
endfunction()

# fss_room_tests(name [SHARED_BETWEEN_THREADS regex]): tests/unit/<name>/**/*_test.cc and their
# helpers as one program. Under ThreadSanitizer a room that knows no threads has nothing to show but
# the tests that the regex names.
function(fss_room_tests name)
  cmake_parse_arguments(ARG "" "SHARED_BETWEEN_THREADS" "" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${name}/*.cc)
  if(FSS_SANITIZE STREQUAL "thread" AND ARG_SHARED_BETWEEN_THREADS)
    list(FILTER sources INCLUDE REGEX "${ARG_SHARED_BETWEEN_THREADS}")
  endif()
  add_executable(${name}_test ${sources})
  fss_together(${name}_test)
  target_link_libraries(${name}_test PRIVATE fss_${name} GTest::gmock_main)
  # What is tested is the room, built as ever; its tests compile in half the time without this.
  target_compile_options(${name}_test PRIVATE -O0 -g1)
  if(FSS_SANITIZE MATCHES "undefined")
    target_compile_options(${name}_test PRIVATE -fno-sanitize=undefined)
  endif()
  target_compile_definitions(${name}_test PRIVATE
                             FSS_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/golden")
  gtest_discover_tests(${name}_test TEST_PREFIX "unit.${name}." DISCOVERY_MODE PRE_TEST)
endfunction()
