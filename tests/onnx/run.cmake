# SPDX-License-Identifier: BSL-1.0
# Runs check.py on the folder FILES by a Python that has onnx and onnxruntime, if need be of the folder ENVIRONMENT.
# Usage: cmake -DFILES=folder -DENVIRONMENT=folder -P run.cmake
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/../interchange/python_with.cmake")

python_with(python "${ENVIRONMENT}" onnx onnxruntime numpy)
if(python)
  execute_process(COMMAND "${python}" -B "${CMAKE_CURRENT_LIST_DIR}/check.py" "${FILES}" COMMAND_ERROR_IS_FATAL ANY)
endif()
