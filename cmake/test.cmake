# SPDX-License-Identifier: BSL-1.0
# cmake -P cmake/test.cmake: builds and runs all tests with the default compiler, which is g++ on most machines,
# and where clang++-19 is there too the other half with that one, mostly under sanitizers: see below.
# -DFILTER=REGEX builds and runs only the tests whose names match.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
setup_arguments()

setup_packages(libeigen3-dev libboost-dev zlib1g-dev catch2 libbenchmark-dev)
if(DEFINED ENV{CI}) # both compilers count there; a release without this one goes on without it
  setup_packages(clang-19 libclang-rt-19-dev)
  setup_packages(doxygen) # of the reference
  setup_packages(openmpi-bin libopenmpi-dev) # of several processes
  setup_packages(gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib qemu-system-arm) # tl::bare on emulated boards,
  setup_packages(g++-riscv64-linux-gnu g++-aarch64-linux-gnu qemu-user) # on other machines of Linux,
  setup_packages(lld-19 libc++-19-dev-wasm32 wasi-libc chromium) # and in a page
  setup_packages(valgrind) # counts the instructions of its steps
endif()

set(builds)
set(failed)
set(all "${SETUP_SOURCE}/build/all-tests")

# Configures build/NAME for the tests.
function(configure_tests name)
  setup_configure("${SETUP_SOURCE}/build/${name}" -DCMAKE_BUILD_TYPE=Release -DTAPELESS_BUILD_TESTS=ON
                  -DTAPELESS_BUILD_EXAMPLES=ON -DTAPELESS_ALL_EXAMPLES=OFF -DTAPELESS_ONLY_TESTED=ON
                  -DTAPELESS_WARNINGS_ARE_ERRORS=ON
                  "-DTAPELESS_TEST_RECORDS=${all}/records" ${ARGN})
  set(builds ${builds} ${name} PARENT_SCOPE)
endfunction()

# Runs CTest over all build folders, so that one summary ends the output; with `verdicts` as more tests.
function(run_ctest verdicts)
  foreach(name IN LISTS builds)
    string(APPEND verdicts "subdirs([==[${SETUP_SOURCE}/build/${name}]==])\n")
  endforeach()
  file(WRITE "${all}/CTestTestfile.cmake" "${verdicts}")
  if(FILTER)
    list(APPEND ARGN --tests-regex "${FILTER}")
  endif()
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" ${ARGN} WORKING_DIRECTORY "${all}" RESULT_VARIABLE code)
  set(code "${code}" PARENT_SCOPE)
endfunction()

# The tests that FILTER selects, and those that they need.
function(selected_tests result)
  set(list "${all}/selected.txt")
  run_ctest("" --show-only --quiet --output-log "${list}")
  file(STRINGS "${list}" selected REGEX "^ *Test +#[0-9]+: ")
  list(TRANSFORM selected REPLACE "^ *Test +#[0-9]+: ([^ ]+).*" "\\1")
  set(${result} "${selected}" PARENT_SCOPE)
endfunction()

# clang takes 6 to 24 % less time where its memory is of large pages and comes in large pieces: it takes a gigabyte for
# most tests. Where the C library is not GNU's, nothing reads this.
set(memory hugetlb=1 top_pad=134217728 mmap_threshold=33554432)
list(TRANSFORM memory PREPEND glibc.malloc.)
list(JOIN memory : memory)

# Builds in build/NAME what `selected` tests run, or everything where that is empty. A whole build is a test too:
# where it fails, what it could build is run.
function(build_tests name selected)
  set(build "${SETUP_SOURCE}/build/${name}")
  set(keep_going -k)
  file(STRINGS "${build}/CMakeCache.txt" ninja REGEX "^CMAKE_GENERATOR:INTERNAL=Ninja$")
  if(ninja)
    set(keep_going -k 0)
  endif()
  set(only)
  if(selected)
    file(STRINGS "${build}/test-targets.txt" lines)
    foreach(line IN LISTS lines)
      string(REPLACE " " ";" line "${line}")
      list(POP_FRONT line test)
      if(test IN_LIST selected)
        list(APPEND only ${line})
      endif()
    endforeach()
    if(NOT only)
      return()
    endif()
    list(REMOVE_DUPLICATES only)
    list(PREPEND only --target)
  endif()
  set(command "${CMAKE_COMMAND}" -E env GLIBC_TUNABLES=${memory} "${CMAKE_COMMAND}" --build "${build}" --parallel ${SETUP_JOBS}
              ${only} -- ${keep_going})
  execute_process(COMMAND ${command} RESULT_VARIABLE code)
  if(code STREQUAL "0")
    string(APPEND verdicts "add_test([==[build/${name}]==] [==[${CMAKE_COMMAND}]==] -E true)\n")
  else()
    # What failed is built again, so that its errors stand where the test is said to have failed.
    set(failed TRUE PARENT_SCOPE)
    set(errors "${build}/errors.txt")
    execute_process(COMMAND ${command} OUTPUT_FILE "${errors}" ERROR_FILE "${errors}")
    string(APPEND verdicts
           "add_test([==[build/${name}]==] [==[${CMAKE_COMMAND}]==] -E cat [==[${errors}]==])\n"
           "set_tests_properties([==[build/${name}]==] PROPERTIES FAIL_REGULAR_EXPRESSION .)\n")
  endif()
  set(verdicts "${verdicts}" PARENT_SCOPE)
endfunction()

# What is built once, where there are two compilers, is built by the second one where that finds more or takes less:
# under its sanitizers training, data, files and what runs against stand-ins for CUDA's libraries, except tests that
# leave something out under sanitizers; without them the tests of operations, of most orders of sums and of the GPU's
# kernels, the laws, reference values, the guides' programs, wrong programs, each header alone and benchmarks, for
# which clang takes half as long. The first one has the docstrings' examples, rules by their papers, one wrong program
# for each way in which a sentence is reached, and nvcc's. So each has compiled the graph's machinery, every operation
# and every rule. Both run complete user programs.
find_program(SETUP_GCC g++)
find_program(SETUP_CLANG clang++-19)
set(second_part)
if(SETUP_GCC AND SETUP_CLANG)
  set(second_part TAPELESS_TEST_MEMORY TAPELESS_TEST_LAWS TAPELESS_BUILD_BENCHMARKS)
endif()
list(TRANSFORM second_part REPLACE ".+" "-D\\0=OFF" OUTPUT_VARIABLE without)
list(TRANSFORM second_part REPLACE ".+" "-D\\0=ON" OUTPUT_VARIABLE with)
configure_tests(test ${without})

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
  configure_tests(test-${second} "-DCMAKE_CXX_COMPILER=${SETUP_SECOND}" -DTAPELESS_TEST_PREFIX=${second}/
                  -DTAPELESS_TEST_VALUES=OFF ${with} ${sanitize})
endif()

set(selected)
if(FILTER)
  selected_tests(selected)
  if(NOT selected)
    message(FATAL_ERROR "No test's name matches ${FILTER}")
  endif()
endif()
set(verdicts)
foreach(name IN LISTS builds)
  build_tests(${name} "${selected}")
endforeach()
if(NOT FILTER)
  set(ENV{TAPELESS_CORRECTED_TOGETHER} 1) # see tests/errors/errors.cmake
endif()
run_ctest("${verdicts}" --output-on-failure --no-tests=error --parallel ${SETUP_JOBS})
if(failed OR NOT code STREQUAL "0")
  message(FATAL_ERROR "Not all tests passed")
endif()
