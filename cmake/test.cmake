# SPDX-License-Identifier: BSL-1.0
# cmake -P cmake/test.cmake: builds and runs all tests with the default compiler, which is g++ on most machines,
# and where clang++-19 is there too with that one, without the tests of values alone, its unit tests
# under sanitizers.
# -DFILTER=REGEX runs only the tests whose names match.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
setup_arguments()

setup_packages(libeigen3-dev libboost-dev zlib1g-dev catch2 libbenchmark-dev)
if(DEFINED ENV{CI}) # both compilers count there; a release without this one goes on without it
  setup_packages(clang-19 libclang-rt-19-dev)
endif()

set(tests)

# Configures and builds all tests in build/NAME. The build is a test too: where it fails, what it could build is run.
function(build_tests name)
  set(build "${SETUP_SOURCE}/build/${name}")
  setup_configure("${build}" -DCMAKE_BUILD_TYPE=Release -DTAPELESS_BUILD_TESTS=ON -DTAPELESS_BUILD_EXAMPLES=ON
                  ${ARGN})
  set(keep_going -k)
  file(STRINGS "${build}/CMakeCache.txt" ninja REGEX "^CMAKE_GENERATOR:INTERNAL=Ninja$")
  if(ninja)
    set(keep_going -k 0)
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" --parallel ${SETUP_JOBS} -- ${keep_going}
                  RESULT_VARIABLE code)
  set(verdict true)
  if(NOT code STREQUAL "0")
    set(verdict false)
  endif()
  string(APPEND tests "add_test([==[build/${name}]==] [==[${CMAKE_COMMAND}]==] -E ${verdict})\n"
                      "subdirs([==[${build}]==])\n")
  set(tests "${tests}" PARENT_SCOPE)
endfunction()

# What runs against stand-ins for CUDA's libraries is built once, under the second compiler's sanitizers, where
# there are two.
find_program(SETUP_GCC g++)
find_program(SETUP_CLANG clang++-19)
set(stand_ins)
if(SETUP_GCC AND SETUP_CLANG)
  set(stand_ins -DTAPELESS_TEST_STAND_INS=OFF)
endif()
build_tests(test ${stand_ins})

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
              -DTAPELESS_BUILD_BENCHMARKS=OFF -DTAPELESS_TEST_VALUES=OFF ${sanitize})
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
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "Not all tests passed")
endif()
