# SPDX-License-Identifier: BSL-1.0
# A program that imports the module compiles without a warning and runs; and the module includes itself all that its
# headers include and that is not the library's, so that no other library becomes a part of it.
cmake_minimum_required(VERSION 3.24)

function(run)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE code
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
  if(NOT code STREQUAL "0" OR said MATCHES "warning:|error:")
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}: ${code}\n${said}")
  endif()
endfunction()

file(MAKE_DIRECTORY "${FOLDER}")
set(compile "${COMPILER}" "${FLAGS}" -std=c++20 -O0 -Wall -Wextra -Werror)
run(${compile} --precompile "${MODULE}" -o "${FOLDER}/tapeless.pcm")
run("${COMPILER}" -c "${FOLDER}/tapeless.pcm" -o "${FOLDER}/tapeless.o")
run(${compile} "-fmodule-file=tapeless=${FOLDER}/tapeless.pcm" -c "${PROGRAM}" -o "${FOLDER}/program.o")
run("${COMPILER}" "${FOLDER}/program.o" "${FOLDER}/tapeless.o" -pthread -ldl -lz -o "${FOLDER}/program")
run("${FOLDER}/program" "${FOLDER}/weights.safetensors")

execute_process(
  COMMAND ${compile} -H -fsyntax-only "${MODULE}"
  ERROR_VARIABLE headers
  OUTPUT_QUIET)
string(REGEX MATCHALL "[.]+ [^\n]+" headers "${headers}")
set(seen "")
set(missing "")
set(in_module FALSE)
foreach(line IN LISTS headers)
  string(REGEX REPLACE "^[.]+ " "" header "${line}")
  if(header MATCHES "include/tapeless/")
    set(in_module TRUE)
  elseif(NOT in_module)
    list(APPEND seen "${header}")
  elseif(NOT header IN_LIST seen)
    list(APPEND missing "${header}")
  endif()
endforeach()
if(NOT in_module OR missing)
  list(JOIN missing "\n" missing)
  message(FATAL_ERROR "tapeless.cppm does not include, before the module begins:\n${missing}")
endif()
