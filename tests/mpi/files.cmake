# SPDX-License-Identifier: BSL-1.0
# Runs files.cpp on 3 ranks, which look at what each of them has written.
# Usage: cmake -DMPIRUN=mpirun -DPROGRAM=file -P files.cmake
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/mpirun.cmake")

execute_process(COMMAND "${MPIRUN}" -n 3 "${PROGRAM}" "${CMAKE_CURRENT_BINARY_DIR}" RESULT_VARIABLE code TIMEOUT 120)
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "Rank 0 has not written all, or another one something: ${code}")
endif()
