# SPDX-License-Identifier: BSL-1.0
# Runs a complete program without mpirun and on 1 to 4 ranks. Usage: cmake -DMPIRUN=mpirun -DPROGRAM=file -P api.cmake
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/mpirun.cmake")

execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE code)
set(codes "${code}")
foreach(count RANGE 1 4)
  execute_process(COMMAND "${MPIRUN}" -n ${count} "${PROGRAM}" RESULT_VARIABLE code TIMEOUT 120)
  list(APPEND codes "${code}")
endforeach()
if(NOT codes STREQUAL "0;0;0;0;0")
  message(FATAL_ERROR "Alone and on 1, 2, 3 and 4 ranks: ${codes}")
endif()
