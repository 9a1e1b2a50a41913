# SPDX-License-Identifier: BSL-1.0
# cmake -DLINE=REGEX -P check.cmake PROGRAM ARGUMENT..: runs the program, shows what it prints, and fails where it fails
# or prints no such line.

foreach(index RANGE ${CMAKE_ARGC})
  if("${CMAKE_ARGV${index}}" STREQUAL "-P")
    math(EXPR index "${index} + 2")
    break()
  endif()
endforeach()
set(command)
while(index LESS CMAKE_ARGC)
  list(APPEND command "${CMAKE_ARGV${index}}")
  math(EXPR index "${index} + 1")
endwhile()

execute_process(COMMAND ${command} OUTPUT_VARIABLE output RESULT_VARIABLE code)
message("${output}")
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "The program ended with ${code}")
endif()
if(NOT output MATCHES "${LINE}")
  message(FATAL_ERROR "It printed no line that matches ${LINE}")
endif()
