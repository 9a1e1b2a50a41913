# SPDX-License-Identifier: BSL-1.0
# Programs on tl::bare without an operating system.
tapeless_add_test(
  bare.freestanding
  "${CMAKE_COMMAND}"
  "-DCOMPILER=${CMAKE_CXX_COMPILER}"
  "-DFLAGS=@${TAPELESS_USER_FLAGS}"
  "-DNM=${CMAKE_NM}"
  "-DSOURCE=${TAPELESS_API_DIR}/10_bare.cpp"
  "-DOBJECT=${CMAKE_CURRENT_BINARY_DIR}/bare/freestanding.o"
  -P
  "${CMAKE_CURRENT_SOURCE_DIR}/bare/freestanding.cmake")
file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bare")
tapeless_add_test(
  bare.c_interface
  "${CMAKE_COMMAND}"
  "-DCOMPILER=${CMAKE_CXX_COMPILER}"
  "-DFLAGS=@${TAPELESS_USER_FLAGS}"
  "-DEXAMPLE=${PROJECT_SOURCE_DIR}/examples/c_interface"
  "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/bare"
  -P
  "${CMAKE_CURRENT_SOURCE_DIR}/bare/c_interface.cmake")
tapeless_test_properties(bare.c_interface SKIP_REGULAR_EXPRESSION SKIPPED)

if(TAPELESS_TEST_VALUES) # by one compiler: the cross compiler is the same
  find_path(TAPELESS_BOOST boost/hana.hpp)
  mark_as_advanced(TAPELESS_BOOST)
  add_executable(bare_losses bare/losses.cpp)
  target_link_libraries(bare_losses PRIVATE tapeless::tapeless)
  target_compile_options(bare_losses PRIVATE -ffp-contract=off)
  tapeless_warnings(bare_losses)
  tapeless_add_test(
    bare.emulated
    "${CMAKE_COMMAND}"
    "-DHOST=$<TARGET_FILE:bare_losses>"
    "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
    "-DBOOST=${TAPELESS_BOOST}"
    "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/bare/losses.cpp"
    "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/bare"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/bare/emulated.cmake")
  tapeless_test_properties(bare.emulated SKIP_REGULAR_EXPRESSION SKIPPED)
  tapeless_test_needs(bare.emulated bare_losses)

  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    add_executable(bare_counts bare/counts.cpp)
    target_link_libraries(bare_counts PRIVATE tapeless::tapeless)
    target_compile_options(bare_counts PRIVATE -O2 -march=x86-64-v2 -fno-lto)
    tapeless_warnings(bare_counts)
    tapeless_add_test(
      bare.counts
      "${CMAKE_COMMAND}"
      "-DPROGRAM=$<TARGET_FILE:bare_counts>"
      "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
      "-DCOUNTS=${CMAKE_CURRENT_SOURCE_DIR}/bare/counts.txt"
      -P
      "${CMAKE_CURRENT_SOURCE_DIR}/bare/counts.cmake")
    tapeless_test_properties(bare.counts SKIP_REGULAR_EXPRESSION SKIPPED)
    tapeless_test_needs(bare.counts bare_counts)
  endif()
endif()
