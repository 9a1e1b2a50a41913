# SPDX-License-Identifier: BSL-1.0
# Programs on tl::bare without an operating system.
foreach(program freestanding schedules weights)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/bare/${program}.cpp")
  if(program STREQUAL "freestanding")
    set(source "${TAPELESS_API_DIR}/10_bare.cpp")
  endif()
  tapeless_add_test(
    bare.${program}
    "${CMAKE_COMMAND}"
    "-DCOMPILER=${CMAKE_CXX_COMPILER}"
    "-DFLAGS=@${TAPELESS_USER_FLAGS}"
    "-DNM=${CMAKE_NM}"
    "-DSOURCE=${source}"
    "-DOBJECT=${CMAKE_CURRENT_BINARY_DIR}/bare/${program}.o"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/bare/freestanding.cmake")
endforeach()
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

# The cases of all laws on tl::bare and as straight-line code, against tables of kernels: tests/laws/FILE.cpp,
# compiled with tests/POLICY/laws as their folder of laws, is POLICY.ROOM.FILE, so that a new law is here without a new
# line. Those on tl::bare take some minutes to compile: without this option a part of them is built, beside
# bare/extents.cpp, which has the kernels' extents.
option(TAPELESS_ALL_BARE_LAWS "Build the laws of tl::bare of all operations" OFF)
set(bare_laws "^laws/(extents_of_one|reductions/sums|recurrent/cells|views/rearranged)[.]cpp$")
function(tapeless_static_law policy name source)
  set(target test_${policy}_${name})
  string(REPLACE "." "_" target "${target}")
  add_executable(${target} "${source}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY
                                                                   "${CMAKE_CURRENT_BINARY_DIR}/${policy}")
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/${policy}") # before tests/laws
  target_link_libraries(${target} PRIVATE tapeless_test_main)
  tapeless_test_options(${target} ${values_kind})
  tapeless_use_test_headers(${target} ${values_kind})
  tapeless_add_test(${policy}.${name} ${target})
  tapeless_test_properties(${policy}.${name} LABELS unit FAIL_REGULAR_EXPRESSION "No tests ran")
endfunction()
if(TAPELESS_TEST_LAWS)
  tapeless_static_law(bare extents bare/extents.cpp)
  foreach(policy bare straight_line)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "laws/*.cpp")
    if(policy STREQUAL bare AND NOT TAPELESS_ALL_BARE_LAWS)
      list(FILTER sources INCLUDE REGEX "${bare_laws}")
    endif()
    foreach(source IN LISTS sources)
      cmake_path(GET source STEM file)
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(GET folder FILENAME folder)
      tapeless_static_law(${policy} "${folder}.${file}" "${source}")
    endforeach()
  endforeach()
endif()

if(TAPELESS_TEST_VALUES) # by one compiler: the cross compiler is the same
  add_executable(bare_losses bare/losses.cpp)
  target_link_libraries(bare_losses PRIVATE tapeless::tapeless)
  target_compile_options(bare_losses PRIVATE -ffp-contract=off)
  tapeless_warnings(bare_losses)
  tapeless_add_test(
    bare.emulated
    "${CMAKE_COMMAND}"
    "-DHOST=$<TARGET_FILE:bare_losses>"
    "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
    "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/bare/losses.cpp"
    "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/bare"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/bare/emulated.cmake")
  tapeless_test_properties(bare.emulated COST 100 SKIP_REGULAR_EXPRESSION SKIPPED)
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
