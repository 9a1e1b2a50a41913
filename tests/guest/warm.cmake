# SPDX-License-Identifier: BSL-1.0
# A user's function with a loop is compiled for speed, not as one that hardly ever runs: g++ would put it into
# FUNCTION.cold, or as a whole into the section of such functions. Usage:
# cmake -DCOMPILER=g++ -DNM=nm -DFLAGS=... -DSOURCE=own_loop.cpp -DOBJECT=file.o -P warm.cmake
cmake_minimum_required(VERSION 3.24)

execute_process(COMMAND "${COMPILER}" ${FLAGS} -O2 -g0 -c "${SOURCE}" -o "${OBJECT}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${NM}" --format=sysv "${OBJECT}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)

foreach(function IN ITEMS own_loop whole_run)
  set(bytes_warm 0)
  set(bytes_cold 0)
  set(row " *[|][0-9a-f]+[|] +[Tt] +[|] +FUNC[|]([0-9a-f]+)[|] +[|](.text[a-z.]*)")
  if(symbols MATCHES "\n${function}${row}" AND NOT CMAKE_MATCH_2 STREQUAL ".text.unlikely")
    math(EXPR bytes_warm "0x${CMAKE_MATCH_1}")
  endif()
  if(symbols MATCHES "\n${function}\\.cold${row}")
    math(EXPR bytes_cold "0x${CMAKE_MATCH_1}")
  endif()
  message("${function}: ${bytes_warm} bytes, and ${bytes_cold} in ${function}.cold")
  if(bytes_warm EQUAL 0 OR bytes_cold GREATER bytes_warm)
    message(SEND_ERROR "${function} is compiled as if it hardly ever ran: what it calls lacks TAPELESS_WARM")
  endif()
endforeach()
