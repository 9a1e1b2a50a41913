# SPDX-License-Identifier: BSL-1.0
# cmake -DLINE=REGEX -P check.cmake PROGRAM ARGUMENT..: runs the program, shows what it prints, and fails where it fails
# or prints no such line.

set(command)
set(is_command FALSE)
set(before)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(is_command)
    list(APPEND command "${CMAKE_ARGV${index}}")
  elseif(before STREQUAL "-P")
    set(is_command TRUE)
  endif()
  set(before "${CMAKE_ARGV${index}}")
endforeach()

execute_process(COMMAND ${command} OUTPUT_VARIABLE output RESULT_VARIABLE code)
message("${output}")
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "The program ended with ${code}")
endif()
if(NOT output MATCHES "${LINE}")
  message(FATAL_ERROR "It printed no line that matches ${LINE}")
endif()
