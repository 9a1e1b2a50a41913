# SPDX-License-Identifier: BSL-1.0
# A user's loop stands where g++ puts what runs, not in FUNCTION.cold or another section of what hardly ever
# does. Each call of user_work in the source is one in such a loop. Usage:
# cmake -DCOMPILER=g++ -DFLAGS=... -DSOURCE=own_loop.cpp -DASSEMBLY=file.s -P warm.cmake
cmake_minimum_required(VERSION 3.24)

execute_process(COMMAND "${COMPILER}" ${FLAGS} -O2 -g0 -S "${SOURCE}" -o "${ASSEMBLY}" COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${ASSEMBLY}" lines REGEX "^(own_loop|whole_run)(\\.cold)?:|user_work|^[ \t]*\\.(section|text)")

set(seen)
foreach(line IN LISTS lines)
  if(line MATCHES "^([a-z_.]+):")
    set(function "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^[ \t]*\\.(section|text)")
    set(section "${line}")
  elseif(section MATCHES "unlikely")
    message(SEND_ERROR "${function}: a loop is compiled as if it hardly ever ran: what the function calls lacks "
                       "TAPELESS_WARM")
    list(APPEND seen ${function})
  else()
    list(APPEND seen ${function})
  endif()
endforeach()

foreach(function IN ITEMS own_loop whole_run)
  if(NOT "${function}" IN_LIST seen AND NOT "${function}.cold" IN_LIST seen)
    message(SEND_ERROR "${function} has no loop with user_work")
  endif()
endforeach()
