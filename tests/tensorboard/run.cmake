# SPDX-License-Identifier: BSL-1.0
# Runs check.py on the folder EVENTS by a Python that has tensorboard, if need be of the folder ENVIRONMENT.
# Usage: cmake -DEVENTS=folder -DENVIRONMENT=folder -P run.cmake
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/../interchange/python_with.cmake")

python_with(python "${ENVIRONMENT}" tensorboard)
if(python)
  execute_process(COMMAND "${python}" -B "${CMAKE_CURRENT_LIST_DIR}/check.py" "${EVENTS}" COMMAND_ERROR_IS_FATAL ANY)
endif()
