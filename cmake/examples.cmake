# SPDX-License-Identifier: BSL-1.0
# cmake -P cmake/examples.cmake: builds all examples, runs them, and checks what they print; pictures are in
# build/examples/examples. With -DFILTER=REGEX only those whose names match, such as 08; with -DDATA_DIR=FOLDER on the data
# sets there: mnist, cifar10, names/names.txt, tinyshakespeare/input.txt.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
setup_arguments()

setup_packages(libeigen3-dev libboost-dev zlib1g-dev catch2)

set(build "${SETUP_SOURCE}/build/examples")
set(data)
if(DATA_DIR)
  cmake_path(ABSOLUTE_PATH DATA_DIR BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  set(data "-DTAPELESS_DATA_DIR=${DATA_DIR}")
endif()
setup_configure("${build}" -DCMAKE_BUILD_TYPE=Release -DTAPELESS_BUILD_BENCHMARKS=OFF ${data})

set(targets all_examples)
if(FILTER)
  file(STRINGS "${build}/examples/names.txt" targets)
  list(FILTER targets INCLUDE REGEX "${FILTER}")
  if(NOT targets)
    message(FATAL_ERROR "No example's name matches ${FILTER}")
  endif()
  list(TRANSFORM targets PREPEND "example_")
endif()
setup_run("The build failed" "${CMAKE_COMMAND}" --build "${build}" --target ${targets} --parallel ${SETUP_JOBS})
setup_run("Not all examples work" "${CMAKE_CTEST_COMMAND}" --test-dir "${build}" --label-regex "^examples$"
          --tests-regex "examples.*${FILTER}" --output-on-failure --no-tests=error)
