# SPDX-License-Identifier: BSL-1.0
# What tapeless::compiled has compiled once is not compiled again: these functions, which the program calls, are undefined
# in its OBJECTS and defined in LIBRARY. NM lists symbols.
cmake_minimum_required(VERSION 3.24)

function(list_symbols all)
  execute_process(COMMAND "${NM}" -C ${ARGN} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  set(${all}
      "${symbols}"
      PARENT_SCOPE)
endfunction()

list_symbols(in_objects ${OBJECTS})
list_symbols(in_library "${LIBRARY}")
foreach(function "bound_program<[^\n]*>::check" "program_core<[^\n]*>::run_observed<" "cpu_kernels::run_loops<")
  set(name "[^\n]*tapeless::${function}")
  if(in_objects MATCHES "[TtWV] ${name}")
    message(FATAL_ERROR "the program compiled what the library has: ${CMAKE_MATCH_0}")
  endif()
  # where clang compiles more of the headers once, what calls run_observed is in the library, too
  set(called "U ${name}")
  if(function MATCHES "run_observed")
    set(called "U (${name}|[^\n]*straight_line_program<[^\n]*>::run[(])")
  endif()
  if(NOT in_objects MATCHES "${called}")
    message(FATAL_ERROR "the program does not call tapeless::${function} in the library")
  endif()
  if(NOT in_library MATCHES "[TW] ${name}")
    message(FATAL_ERROR "the library lacks tapeless::${function}")
  endif()
endforeach()
