# SPDX-License-Identifier: BSL-1.0
# What programs cost to compile: whole ones by the compiler that costs.txt has figures of, and what all of them read.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND TAPELESS_TEST_VALUES)
  foreach(program 02_mnist 06_transformer)
    tapeless_add_test(
      compile_cost.${program}
      "${CMAKE_COMMAND}"
      "-DCOMPILER=${CMAKE_CXX_COMPILER}"
      "-DNAME=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
      "-DFLAGS=@${TAPELESS_USER_FLAGS}"
      "-DPROGRAM=${CMAKE_CURRENT_SOURCE_DIR}/api/${program}.cpp"
      "-DCOSTS=${CMAKE_CURRENT_SOURCE_DIR}/compile_cost/costs.txt"
      "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/compile_cost"
      -P
      "${CMAKE_CURRENT_SOURCE_DIR}/compile_cost/check.cmake")
    tapeless_test_properties(compile_cost.${program} SKIP_REGULAR_EXPRESSION SKIPPED COST 20)
  endforeach()
  tapeless_add_test(
    compile_cost.standard_headers
    "${CMAKE_COMMAND}"
    "-DCOMPILER=${CMAKE_CXX_COMPILER}"
    "-DFLAGS=@${TAPELESS_USER_FLAGS}"
    "-DKNOWN=${CMAKE_CURRENT_SOURCE_DIR}/compile_cost/standard_headers.txt"
    "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/compile_cost"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/compile_cost/standard_headers.cmake")
endif()
