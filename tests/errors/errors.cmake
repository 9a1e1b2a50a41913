# SPDX-License-Identifier: BSL-1.0
# Every tests/errors/NAME.cpp is a wrong program that the compiler must refuse with the sentences that the
# file names, and must take when CORRECTED is defined: see check.cmake. Where the other compiler has them all,
# only those run that say so with a line "// both compilers": one for each way in which a sentence is reached. The
# corrected programs are compiled by that one alone: that nothing else is wrong with them does not depend on it.

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
