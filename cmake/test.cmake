# SPDX-License-Identifier: BSL-1.0
# cmake -P cmake/test.cmake: builds and runs all tests with the default compiler, which is g++ on most machines,
# and where clang++-19 is there too with that one, without the tests of values alone, its unit tests
# under sanitizers.
# -DFILTER=REGEX builds and runs only the tests whose names match.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
setup_arguments()

setup_packages(libeigen3-dev libboost-dev zlib1g-dev catch2 libbenchmark-dev)
if(DEFINED ENV{CI}) # both compilers count there; a release without this one goes on without it
  setup_packages(clang-19 libclang-rt-19-dev)
endif()

set(tests)
set(failed)

# The targets of the tests in the folder `build` that FILTER selects, and of those that these need.
function(selected_targets result build)
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --show-only --tests-regex "${FILTER}"
                  WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE selected)
  string(REGEX MATCHALL "Test +#[0-9]+: [^ \n]+" selected "${selected}")
  list(TRANSFORM selected REPLACE ".*: " "")
  file(STRINGS "${build}/test-targets.txt" lines)
  set(targets)
  foreach(line IN LISTS lines)
    string(REPLACE " " ";" line "${line}")
    list(POP_FRONT line name)
    if(name IN_LIST selected)
      list(APPEND targets ${line})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES targets)
  set(${result} "${targets}" PARENT_SCOPE)
endfunction()

# Configures build/NAME and builds its tests: all, or what FILTER selects. The build is a test too: where it fails,
# what it could build is run.
function(build_tests name)
  set(build "${SETUP_SOURCE}/build/${name}")
  setup_configure("${build}" -DCMAKE_BUILD_TYPE=Release -DTAPELESS_BUILD_TESTS=ON -DTAPELESS_BUILD_EXAMPLES=ON
                  ${ARGN})
  set(keep_going -k)
  file(STRINGS "${build}/CMakeCache.txt" ninja REGEX "^CMAKE_GENERATOR:INTERNAL=Ninja$")
  if(ninja)
    set(keep_going -k 0)
  endif()
  set(only)
  if(FILTER)
    selected_targets(only "${build}")
    list(PREPEND only --target)
  endif()
  set(verdict true)
  if(NOT only STREQUAL "--target") # of the tests asked for, none has to be built here
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" --parallel ${SETUP_JOBS} ${only} -- ${keep_going}
                    RESULT_VARIABLE code)
    if(NOT code STREQUAL "0")
      set(verdict false)
      set(failed TRUE PARENT_SCOPE)
    endif()
  endif()
  string(APPEND tests "add_test([==[build/${name}]==] [==[${CMAKE_COMMAND}]==] -E ${verdict})\n"
                      "subdirs([==[${build}]==])\n")
  set(tests "${tests}" PARENT_SCOPE)
endfunction()

# What is built once, where there are two compilers, is built by the second one: what runs against stand-ins for
# CUDA's libraries, under its sanitizers, and the laws, for which it takes half as long. Other tests of values are
# the first one's, so that both have compiled every operation and every rule.
find_program(SETUP_GCC g++)
find_program(SETUP_CLANG clang++-19)
set(second_part)
if(SETUP_GCC AND SETUP_CLANG)
  set(second_part TAPELESS_TEST_STAND_INS TAPELESS_TEST_LAWS)
endif()
list(TRANSFORM second_part REPLACE ".+" "-D\\0=OFF" OUTPUT_VARIABLE without)
list(TRANSFORM second_part REPLACE ".+" "-D\\0=ON" OUTPUT_VARIABLE with)
build_tests(test ${without})

# the second compiler, whose tests stand in the same list
file(STRINGS "${SETUP_SOURCE}/build/test/CMakeCache.txt" compiler REGEX "^CMAKE_CXX_COMPILER:")
if(compiler MATCHES "clang")
  set(second g++)
  set(sanitize)
else()
  set(second clang++-19)
  set(sanitize -DTAPELESS_SANITIZE=address,undefined)
endif()
find_program(SETUP_SECOND ${second})
if(SETUP_SECOND)
  build_tests(test-${second} "-DCMAKE_CXX_COMPILER=${SETUP_SECOND}" -DTAPELESS_TEST_PREFIX=${second}/
              -DTAPELESS_BUILD_BENCHMARKS=OFF -DTAPELESS_TEST_VALUES=OFF ${with} ${sanitize})
endif()

# one run of CTest over the build folders, so that one summary ends the output
set(all "${SETUP_SOURCE}/build/all-tests")
file(WRITE "${all}/CTestTestfile.cmake" "${tests}")
set(filter)
if(FILTER)
  set(filter --tests-regex "${FILTER}")
endif()
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --output-on-failure --no-tests=error --parallel ${SETUP_JOBS} ${filter}
                WORKING_DIRECTORY "${all}" RESULT_VARIABLE code)
if(failed OR NOT code STREQUAL "0")
  message(FATAL_ERROR "Not all tests passed")
endif()
