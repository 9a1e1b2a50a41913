# SPDX-License-Identifier: BSL-1.0
# The named module, by the commands of docs/guide/large_code_bases.md, with clang from 19 on.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  tapeless_add_test(
    module
    "${CMAKE_COMMAND}"
    "-DCOMPILER=${CMAKE_CXX_COMPILER}"
    "-DFLAGS=@${TAPELESS_USER_FLAGS}"
    "-DMODULE=${PROJECT_SOURCE_DIR}/include/tapeless/tapeless.cppm"
    "-DPROGRAM=${CMAKE_CURRENT_SOURCE_DIR}/module/program.cpp"
    "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/module"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/module/check.cmake")
endif()
