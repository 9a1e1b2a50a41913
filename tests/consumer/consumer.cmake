# SPDX-License-Identifier: BSL-1.0
# Another project takes the library in: from its source folder, installed, and by add_subdirectory.

set(TAPELESS_CONSUMER "${TAPELESS_API_DIR}/07_consumer")

# Configures, builds and runs the project in `source`; what follows are its cache entries.
function(tapeless_consumer_test name source)
  tapeless_dependency_entries(entries)
  list(APPEND entries "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCMAKE_BUILD_TYPE=$<CONFIG>")
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    list(GET CMAKE_CXX_COMPILER_LAUNCHER -1 launcher) # without what goes before it: a list does not get through
    list(APPEND entries "-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}")
  endif()
  set(build "${CMAKE_CURRENT_BINARY_DIR}/consumer/${name}")
  tapeless_add_test(
    consumer.${name}
    "${CMAKE_CTEST_COMMAND}"
    --build-and-test
    "${source}"
    "${build}"
    --build-generator
    "${CMAKE_GENERATOR}"
    --build-makeprogram
    "${CMAKE_MAKE_PROGRAM}"
    --build-config
    $<CONFIG>
    --build-noclean
    --build-options
    --fresh # an old cache may hold other choices
    ${entries}
    ${ARGN}
    --test-command
    "${build}/consumer")
  tapeless_test_properties(consumer.${name} LABELS consumer COST 100)
endfunction()

# Optimized only where warnings are counted, some of which g++ has only then, and no further: api/ has complete programs
# at -O2. How the library is found, and that its headers can be in any file of a program, does not depend on it.
set(quickly "-DCMAKE_CXX_FLAGS_$<UPPER_CASE:$<CONFIG>>=-O0")
set(vendored ${quickly})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # the last as in tests/CMakeLists.txt
  set(vendored "-DCMAKE_CXX_FLAGS_$<UPPER_CASE:$<CONFIG>>=-O1 --param=ggc-min-heapsize=3000000")
endif()
tapeless_consumer_test(subdirectory "${CMAKE_CURRENT_SOURCE_DIR}/consumer/vendored"
                       "-DTAPELESS_SOURCE_DIR=${PROJECT_SOURCE_DIR}" ${vendored})
if(NOT TAPELESS_TEST_VALUES) # how it is found does not depend on the compiler
  return()
endif()
tapeless_consumer_test(source "${TAPELESS_CONSUMER}" "-DTAPELESS_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                       -DCMAKE_DISABLE_FIND_PACKAGE_tapeless=ON ${quickly})

if(TAPELESS_INSTALL)
  set(prefix "${CMAKE_CURRENT_BINARY_DIR}/consumer/prefix")
  # no source folder: only the installed package can serve
  tapeless_consumer_test(installed "${TAPELESS_CONSUMER}" "-DCMAKE_PREFIX_PATH=${prefix}" -DTAPELESS_SOURCE_DIR=none
                         ${quickly})
  tapeless_test_properties(consumer.installed FIXTURES_REQUIRED "${TAPELESS_TEST_PREFIX}package")

  tapeless_add_test(
    consumer.install
    "${CMAKE_COMMAND}"
    "-DBUILD=${PROJECT_BINARY_DIR}"
    "-DCONFIG=$<CONFIG>"
    "-DPREFIX=${prefix}"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/consumer/install.cmake")
  tapeless_test_properties(consumer.install LABELS consumer FIXTURES_SETUP "${TAPELESS_TEST_PREFIX}package")
endif()
