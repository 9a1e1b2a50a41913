# SPDX-License-Identifier: BSL-1.0
# What targets of this project, not the library's users, are compiled with.
include(CheckCXXCompilerFlag)

set(TAPELESS_SANITIZE "" CACHE STRING "Sanitizers for the unit tests, such as address,undefined")

option(TAPELESS_WARNINGS_ARE_ERRORS "A warning ends the build, as the tests want it" OFF)

# Our headers and all that instantiates them compile without a warning. g++ 12 warns of "text" + std::string
# (-Wrestrict) in the standard library's own code, without a reason; 13 does not.
function(tapeless_warnings target)
  target_compile_options(
    ${target} PRIVATE -Wall -Wextra -Wpedantic $<$<BOOL:${TAPELESS_WARNINGS_ARE_ERRORS}>:-Werror> ${ARGN}
                      $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
endfunction()

option(TAPELESS_ONLY_TESTED "Examples and benchmarks are built to be tested, not for their speed" OFF)

# The level of optimization where a program is only built, or run for a moment.
function(tapeless_only_tested target level)
  if(TAPELESS_ONLY_TESTED)
    target_compile_options(${target} PRIVATE -O${level} -g0
                                             # as in tests/CMakeLists.txt
                                             "$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=3000000>")
  endif()
endfunction()

# Complete programs that are built as examples are, only to be tested: the header that they all include first is
# compiled once (it takes a third of the time of 13_control).
function(tapeless_shared_headers target)
  if(NOT TAPELESS_ONLY_TESTED)
    return()
  endif()
  if(NOT TARGET tapeless_program_headers)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/program_headers.cpp")
    file(WRITE "${source}" "")
    add_library(tapeless_program_headers OBJECT EXCLUDE_FROM_ALL "${source}")
    target_link_libraries(tapeless_program_headers PRIVATE tapeless::tapeless)
    tapeless_warnings(tapeless_program_headers)
    tapeless_native(tapeless_program_headers)
    tapeless_only_tested(tapeless_program_headers 2)
    target_precompile_headers(tapeless_program_headers PRIVATE <tapeless/tapeless.hpp>)
  endif()
  target_precompile_headers(${target} REUSE_FROM tapeless_program_headers)
endfunction()

# Programs that are run for their speed.
function(tapeless_native target)
  if(TAPELESS_NATIVE)
    check_cxx_compiler_flag(-march=native TAPELESS_HAS_NATIVE)
    if(TAPELESS_HAS_NATIVE)
      target_compile_options(${target} PRIVATE -march=native)
    endif()
    # clang 19 warns of the features that it finds on processors with AMX.
    check_cxx_compiler_flag(-Winvalid-feature-combination TAPELESS_HAS_FEATURE_WARNING)
    if(TAPELESS_HAS_FEATURE_WARNING)
      target_compile_options(${target} PRIVATE -Wno-invalid-feature-combination)
    endif()
  endif()
endfunction()

# Sanitizers where they were asked for: assertions on, and not optimized, which takes half the time to compile. What is
# read at a null pointer ends a program by itself; a check before each read takes a quarter of the time to compile.
# Nor what takes another tenth: sums of pointers, whose use the address sanitizer checks;
# missing returns, of which there are warnings; null where an attribute forbids it, arguments of built-in functions and
# types of called functions, which nothing else checks.
# Reports name functions; lines too, for which another tenth is compiled, unless TAPELESS_ONLY_TESTED.
function(tapeless_sanitize target)
  if(TAPELESS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TAPELESS_SANITIZE} -fno-sanitize=null,vptr
                                             -fno-sanitize=pointer-overflow,object-size,builtin,return
                                             -fno-sanitize=nonnull-attribute,returns-nonnull-attribute
                                             $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>
                                             -fno-sanitize-recover=all -fno-omit-frame-pointer -O0 -UNDEBUG
                                             $<$<NOT:$<BOOL:${TAPELESS_ONLY_TESTED}>>:-g1>)
    target_link_options(${target} PRIVATE -fsanitize=${TAPELESS_SANITIZE})
  endif()
endfunction()

# add_test with the name's prefix (the same tests built by a second compiler stand in one list), a folder
# of its own to write to, and a limit. Where it runs a target, that is what has to be built for it.
function(tapeless_add_test name)
  set(folder "${PROJECT_BINARY_DIR}/test-folders/${name}")
  file(MAKE_DIRECTORY "${folder}")
  add_test(
    NAME "${TAPELESS_TEST_PREFIX}${name}"
    COMMAND ${ARGN}
    WORKING_DIRECTORY "${folder}")
  set_tests_properties("${TAPELESS_TEST_PREFIX}${name}" PROPERTIES TIMEOUT 900)
  if(TARGET "${ARGV1}")
    tapeless_test_needs(${name} "${ARGV1}")
  endif()
endfunction()

# Targets that have to be built before a test runs: cmake/test.cmake builds those of the tests that it is asked for.
function(tapeless_test_needs name)
  list(JOIN ARGN " " targets)
  set_property(GLOBAL APPEND PROPERTY TAPELESS_TEST_TARGETS "${TAPELESS_TEST_PREFIX}${name} ${targets}")
endfunction()

# Writes them, a line for each test: its name and its targets.
function(tapeless_write_test_targets)
  get_property(lines GLOBAL PROPERTY TAPELESS_TEST_TARGETS)
  list(JOIN lines "\n" lines)
  file(WRITE "${PROJECT_BINARY_DIR}/test-targets.txt" "${lines}\n")
endfunction()

function(tapeless_test_properties name)
  set_tests_properties("${TAPELESS_TEST_PREFIX}${name}" PROPERTIES ${ARGN})
endfunction()

# Cache entries that give a project configured by a test the dependencies which are here: downloaded once is enough.
function(tapeless_dependency_entries result)
  set(entries)
  foreach(dependency tapeless_eigen tapeless_hana tapeless_zlib)
    if(DEFINED ${dependency}_SOURCE_DIR)
      string(TOUPPER "FETCHCONTENT_SOURCE_DIR_${dependency}" entry)
      list(APPEND entries "-D${entry}=${${dependency}_SOURCE_DIR}")
    endif()
  endforeach()
  set(${result} "${entries}" PARENT_SCOPE)
endfunction()
