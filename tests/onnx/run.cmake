# SPDX-License-Identifier: BSL-1.0
# Runs check.py on the folder FILES by a Python that has onnx and onnxruntime; where there is none, by an environment
# that pip fills in the folder ENVIRONMENT. Says SKIPPED where pip cannot.
# Usage: cmake -DFILES=folder -DENVIRONMENT=folder -P run.cmake
cmake_minimum_required(VERSION 3.24)
set(needed onnx onnxruntime numpy)
list(JOIN needed ", " modules)

macro(look_at python)
  execute_process(COMMAND "${python}" -c "import ${modules}" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
endmacro()

find_program(PYTHON python3)
set(own "${ENVIRONMENT}/bin/python")
if(PYTHON)
  look_at("${PYTHON}")
  if(NOT code STREQUAL "0")
    look_at("${own}")
    if(NOT code STREQUAL "0")
      message(STATUS "Installing ${modules} in ${ENVIRONMENT}")
      execute_process(COMMAND "${PYTHON}" -m venv "${ENVIRONMENT}" OUTPUT_QUIET ERROR_QUIET)
      execute_process(COMMAND "${own}" -m pip install --quiet --disable-pip-version-check ${needed} OUTPUT_QUIET
                                                                                              ERROR_QUIET)
    endif()
    set(PYTHON "${own}")
  endif()
  look_at("${PYTHON}")
endif()
if(NOT PYTHON OR NOT code STREQUAL "0")
  message(NOTICE "SKIPPED: no Python has ${modules}, and pip does not bring them")
  return()
endif()
execute_process(COMMAND "${PYTHON}" -B "${CMAKE_CURRENT_LIST_DIR}/check.py" "${FILES}" COMMAND_ERROR_IS_FATAL ANY)
