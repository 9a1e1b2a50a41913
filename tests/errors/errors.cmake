# SPDX-License-Identifier: BSL-1.0
# Every tests/errors/NAME.cpp is a wrong program that the compiler must refuse with the sentences that the
# file names, and must take when CORRECTED is defined: see check.cmake.

function(tapeless_error_test source)
  cmake_path(GET source STEM name)
  tapeless_add_test(
    errors.${name}
    "${CMAKE_COMMAND}"
    "-DCOMPILER=${CMAKE_CXX_COMPILER}"
    "-DCOMPILER_ID=${CMAKE_CXX_COMPILER_ID}"
    "-DFLAGS=${TAPELESS_USER_FLAGS}"
    "-DSOURCE=${source}"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/errors/check.cmake")
  tapeless_test_properties(errors.${name} LABELS errors)
endfunction()

file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/errors/*.cpp")
foreach(source IN LISTS sources)
  tapeless_error_test("${source}")
endforeach()
