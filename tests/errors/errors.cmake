# SPDX-License-Identifier: BSL-1.0
# Every tests/errors/NAME.cpp is a wrong program that the compiler must refuse with the sentences that the
# file names, and must take when CORRECTED is defined: see check.cmake. Where the other compiler has them all,
# only those run that say so with a line "// both compilers": one for each way in which a sentence is reached. The
# corrected programs are compiled by that one alone: that nothing else is wrong with them does not depend on it.
# Where all tests run they are compiled together, see below.

# The library's headers, compiled once as the programs' first include.
set(headers "${CMAKE_CURRENT_BINARY_DIR}/errors/headers.hpp")
file(CONFIGURE OUTPUT "${headers}" CONTENT "#include <array>\n#include <tapeless/tapeless.hpp>\n")
set(instantiate) # what functions of the headers need, once and not with each program: g++ cannot
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(instantiate -fpch-instantiate-templates)
endif()
tapeless_add_test(
  errors.headers
  "${CMAKE_CXX_COMPILER}"
  "@${TAPELESS_USER_FLAGS}"
  ${instantiate}
  -x
  c++-header
  "${headers}"
  -o
  "${headers}.gch")
tapeless_test_properties(errors.headers LABELS errors COST 20 FIXTURES_SETUP "${TAPELESS_TEST_PREFIX}error_headers")

function(tapeless_error_test source)
  cmake_path(GET source STEM name)
  tapeless_add_test(
    errors.${name}
    "${CMAKE_COMMAND}"
    "-DCOMPILER=${CMAKE_CXX_COMPILER}"
    "-DCOMPILER_ID=${CMAKE_CXX_COMPILER_ID}"
    "-DFLAGS=${TAPELESS_USER_FLAGS}"
    "-DHEADERS=${headers}"
    "-DSOURCE=${source}"
    "-DCORRECTED=${TAPELESS_TEST_LAWS}"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/errors/check.cmake")
  tapeless_test_properties(errors.${name} LABELS errors FIXTURES_REQUIRED "${TAPELESS_TEST_PREFIX}error_headers")
endfunction()

file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/errors/*.cpp")
foreach(source IN LISTS sources)
  file(STRINGS "${source}" both REGEX "^// both compilers")
  if(TAPELESS_TEST_LAWS OR both)
    tapeless_error_test("${source}")
  endif()
endforeach()

# The corrected programs, each in a namespace: what they have in common is instantiated once, which takes a
# quarter of the time. Here a program sees what the others include. Its own test compiles it alone, where CTest is
# run by hand or by cmake/test.cmake with a filter.
if(NOT TAPELESS_TEST_LAWS)
  return()
endif()
set(groups 0 1) # a machine's two cores
list(LENGTH groups count)
set(at 0)
foreach(source IN LISTS sources)
  math(EXPR group "${at} % ${count}")
  math(EXPR at "${at} + 1")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}") # its includes
  file(STRINGS "${source}" includes REGEX "^#include ")
  list(APPEND "includes_${group}" ${includes})
  cmake_path(GET source STEM name)
  string(APPEND "programs_${group}" "namespace program_${name} {\n#include \"${source}\"\n}\n")
endforeach()
foreach(group IN LISTS groups)
  list(REMOVE_DUPLICATES "includes_${group}")
  list(JOIN "includes_${group}" "\n" includes)
  set(program "${CMAKE_CURRENT_BINARY_DIR}/errors/corrected_${group}.cpp")
  file(CONFIGURE OUTPUT "${program}" CONTENT "${includes}\n${programs_${group}}" @ONLY)
  tapeless_add_test(
    errors.corrected.${group}
    "${CMAKE_CXX_COMPILER}"
    "@${TAPELESS_USER_FLAGS}"
    -include
    "${headers}"
    -fsyntax-only
    -DCORRECTED
    "${program}")
  tapeless_test_properties(errors.corrected.${group} LABELS errors COST 50 FIXTURES_REQUIRED
                           "${TAPELESS_TEST_PREFIX}error_headers")
endforeach()
