# SPDX-License-Identifier: BSL-1.0
# What of the matrix is tested every time: the second compiler's newest standard, and its own library; and vectors of
# AVX-512 without optimization, where an intrinsic's immediate must be one as it is written. All other tests are
# g++-12/c++20 and clang++-19/c++20.
if(NOT TAPELESS_TEST_VALUES) # once
  return()
endif()
foreach(name IN ITEMS clang++-19/c++26 clang++-19/libc++/c++20 g++-12/x86-64-v4)
  string(REPLACE "+" "[+]" filter "${name}")
  string(REPLACE "/" "." name "${name}")
  tapeless_add_test(matrix.${name} "${CMAKE_COMMAND}" "-DFILTER=^${filter}$" -DOPTIMIZE=0
                    "-DBUILD=${CMAKE_CURRENT_BINARY_DIR}/matrix/${name}" -P "${CMAKE_CURRENT_SOURCE_DIR}/matrix/matrix.cmake")
  tapeless_test_properties(matrix.${name} SKIP_REGULAR_EXPRESSION SKIPPED LABELS matrix COST 50)
endforeach()
tapeless_add_test(matrix.table "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" -P
                  "${CMAKE_CURRENT_SOURCE_DIR}/matrix/table.cmake")
