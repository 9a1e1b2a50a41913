# SPDX-License-Identifier: BSL-1.0
# Builds the project of this folder with each BLAS that is there, in the folder BUILD, and runs its products.
cmake_minimum_required(VERSION 3.24)

function(configure name result output)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" --fresh -S "${CMAKE_CURRENT_LIST_DIR}" -B "${BUILD}/${name}" -G "${GENERATOR}"
            "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=-O1" "-DTAPELESS_SOURCE_DIR=${TAPELESS_SOURCE_DIR}"
            "-DTAPELESS_BLAS=${name}" ${ENTRIES}
    RESULT_VARIABLE failed
    OUTPUT_VARIABLE text
    ERROR_VARIABLE text)
  set(${result} "${failed}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

configure(BLAS failed text)
if(NOT failed OR NOT text MATCHES "TAPELESS_BLAS is OpenBLAS, BLIS, MKL, Accelerate or empty")
  message(FATAL_ERROR "a library of no such name is not refused:\n${text}")
endif()

set(found)
foreach(name IN ITEMS OpenBLAS BLIS MKL Accelerate)
  configure(${name} failed text)
  if(failed)
    if(text MATCHES "TAPELESS_BLAS is ${name}, which was not[ \n]+found")
      continue()
    endif()
    message(FATAL_ERROR "${name}:\n${text}")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}/${name}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${BUILD}/${name}/products" COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND found ${name})
endforeach()
if(NOT found)
  message("SKIPPED: there is no BLAS on this machine (Debian: libopenblas-dev, libblis-dev)")
  return()
endif()
message("products by ${found} are right")
