# SPDX-License-Identifier: BSL-1.0
# A program on tl::bare, compiled without an operating system: what it leaves undefined is nothing but what a
# compiler calls itself. Usage: cmake -DCOMPILER=g++ -DFLAGS=... -DNM=nm -DSOURCE=10_bare.cpp -DOBJECT=file.o
# -P freestanding.cmake
cmake_minimum_required(VERSION 3.24)

execute_process(COMMAND "${COMPILER}" ${FLAGS} -O2 -g0 -ffreestanding -fno-exceptions -fno-rtti -Wall -Wextra -Werror
                        -c "${SOURCE}" -o "${OBJECT}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${NM}" -u "${OBJECT}" OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n]+\n" symbols "${undefined}")
foreach(symbol IN LISTS symbols)
  string(STRIP "${symbol}" symbol)
  if(NOT symbol MATCHES "^(memcpy|memmove|memset)$")
    message(SEND_ERROR "undefined: ${symbol}")
  endif()
endforeach()
