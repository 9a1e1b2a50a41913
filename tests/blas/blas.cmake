# SPDX-License-Identifier: BSL-1.0
# The option TAPELESS_BLAS, with each library that this machine has.
if(NOT TAPELESS_TEST_VALUES)
  return() # how a library is found does not depend on the compiler
endif()
tapeless_dependency_entries(entries)
tapeless_add_test(
  blas
  "${CMAKE_COMMAND}"
  "-DTAPELESS_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
  "-DBUILD=${CMAKE_CURRENT_BINARY_DIR}/blas"
  "-DCOMPILER=${CMAKE_CXX_COMPILER}"
  "-DGENERATOR=${CMAKE_GENERATOR}"
  "-DENTRIES=${entries}"
  -P
  "${CMAKE_CURRENT_SOURCE_DIR}/blas/run.cmake")
tapeless_test_properties(blas LABELS consumer SKIP_REGULAR_EXPRESSION SKIPPED)
