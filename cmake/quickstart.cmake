# SPDX-License-Identifier: BSL-1.0
# cmake -P cmake/quickstart.cmake: builds the classifier, examples/04_mnist, and trains it, with the output shown as it
# comes.
# On MNIST with -DMNIST_DIR=FOLDER or that environment variable, else on digits that the program draws.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
setup_arguments()

setup_packages(libeigen3-dev libboost-dev zlib1g-dev)

set(build "${SETUP_SOURCE}/build/quickstart")
setup_configure("${build}" -DCMAKE_BUILD_TYPE=Release -DTAPELESS_BUILD_TESTS=OFF -DTAPELESS_BUILD_BENCHMARKS=OFF)
setup_run("The build failed" "${CMAKE_COMMAND}" --build "${build}" --target example_04_mnist --parallel ${SETUP_JOBS})

if(NOT MNIST_DIR)
  set(MNIST_DIR "$ENV{MNIST_DIR}")
endif()
set(arguments)
if(MNIST_DIR)
  cmake_path(ABSOLUTE_PATH MNIST_DIR BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  set(arguments "${MNIST_DIR}")
endif()
execute_process(
  COMMAND "${build}/examples/04_mnist" ${arguments}
  WORKING_DIRECTORY "${build}"
  RESULT_VARIABLE code)
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "The classifier failed (${code})")
endif()
