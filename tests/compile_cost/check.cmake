# SPDX-License-Identifier: BSL-1.0
# What g++ -O2 takes for PROGRAM, compared with COSTS: 8 % more is an error. Seconds depend on the machine; what the
# compiler allocates while it reads and evaluates does not, and follows their number: a change that made the program
# take 13.4 s instead of 10.6 had it allocate 1,645 MB instead of 1,292. So does the size of the object follow that of the
# code. Usage: cmake -DCOMPILER=g++ -DNAME="GNU 12.2.0" -DFLAGS=@file -DPROGRAM=program.cpp -DCOSTS=costs.txt
# -DFOLDER=folder -P check.cmake
cmake_minimum_required(VERSION 3.24)

cmake_path(GET PROGRAM STEM program)
file(STRINGS "${COSTS}" known REGEX "^${NAME} ${program} ")
if(NOT known)
  message("SKIPPED: ${COSTS} has no figures of ${program} by ${NAME}")
  return()
endif()

file(MAKE_DIRECTORY "${FOLDER}")
set(object "${FOLDER}/${program}.o")
set(ENV{LC_ALL} C)
execute_process(COMMAND "${COMPILER}" "${FLAGS}" -O2 -ftime-report -c "${PROGRAM}" -o "${object}"
                ERROR_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)
if(NOT report MATCHES "\n TOTAL [^\n]* ([0-9]+)M")
  message(FATAL_ERROR "the compiler does not say what it allocates: ${report}")
endif()
set(megabytes "${CMAKE_MATCH_1}")
file(SIZE "${object}" kilobytes)
math(EXPR kilobytes "${kilobytes} / 1000")
message("${NAME} ${program} ${megabytes} ${kilobytes}")

if(NOT known MATCHES "^${NAME} ${program} ([0-9]+) ([0-9]+)$")
  message(FATAL_ERROR "${COSTS}: expected megabytes and kilobytes, found ${known}")
endif()
set(before_megabytes "${CMAKE_MATCH_1}")
set(before_kilobytes "${CMAKE_MATCH_2}")
foreach(what megabytes kilobytes)
  math(EXPR most "${before_${what}} * 108 / 100")
  math(EXPR least "${before_${what}} * 92 / 100")
  if(${what} GREATER most)
    message(SEND_ERROR "${program}: ${${what}} ${what}, ${before_${what}} before: more than 8 % up")
  elseif(${what} LESS least)
    message("${program}: ${before_${what}} ${what} before: write the new figures to ${COSTS}")
  endif()
endforeach()
