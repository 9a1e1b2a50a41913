# SPDX-License-Identifier: BSL-1.0
# The instructions of small static steps on tl::bare, and on tl::straight_line (line_...), compared with those in
# counts.txt: 3 % more is an error. They do not depend on the machine: the program is compiled for x86-64-v2, and calls
# nothing of a library that chooses by the processor. Usage: cmake -DPROGRAM=counts -DCOMPILER="GNU 12.2.0"
# -DCOUNTS=counts.txt -P counts.cmake
cmake_minimum_required(VERSION 3.24)

find_program(valgrind valgrind)
if(NOT valgrind)
  message("SKIPPED: needs valgrind")
  return()
endif()

execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE functions COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[a-z0-9_]+" functions "${functions}")
file(STRINGS "${COUNTS}" known REGEX "^${COMPILER} ")
if(NOT known)
  message("SKIPPED: ${COUNTS} has no counts of ${COMPILER}; they are:")
endif()

set(runs 100)
foreach(function IN LISTS functions)
  execute_process(
    COMMAND "${valgrind}" --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no
            "--toggle-collect=${function}" "${PROGRAM}" "${function}"
    OUTPUT_QUIET ERROR_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  if(NOT printed MATCHES "Collected : ([0-9]+)")
    message(FATAL_ERROR "valgrind printed no count of ${function}: ${printed}")
  endif()
  math(EXPR count "(${CMAKE_MATCH_1} + ${runs} / 2) / ${runs}")
  message("${COMPILER} ${function} ${count}")
  if(known)
    if(NOT known MATCHES "${COMPILER} ${function} ([0-9]+)")
      message(SEND_ERROR "${COUNTS} has no count of ${function}")
      continue()
    endif()
    set(before "${CMAKE_MATCH_1}")
    math(EXPR most "${before} * 103 / 100")
    math(EXPR least "${before} * 97 / 100")
    if(count GREATER most)
      message(SEND_ERROR "${function} takes ${count} instructions, ${before} before: more than 3 % up")
    elseif(count LESS least)
      message("${function} took ${before} before: write the new count to ${COUNTS}")
    endif()
  endif()
endforeach()
