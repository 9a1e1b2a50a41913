# SPDX-License-Identifier: BSL-1.0
# examples/c_interface: a C compiler builds and links the program, and no C++ library is there. Usage:
# cmake -DCOMPILER=g++ -DFLAGS=... -DEXAMPLE=folder -DFOLDER=folder -P c_interface.cmake
cmake_minimum_required(VERSION 3.24)
find_program(C_COMPILER NAMES cc gcc clang)
if(NOT C_COMPILER)
  message("SKIPPED: there is no C compiler")
  return()
endif()
file(MAKE_DIRECTORY "${FOLDER}")
execute_process(COMMAND "${COMPILER}" ${FLAGS} -O2 -g0 -ffreestanding -fno-exceptions -fno-rtti -Wall -Wextra -Wconversion
                        -Werror -c "${EXAMPLE}/network.cpp" -o "${FOLDER}/network.o" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${C_COMPILER}" -std=c99 -O2 -Wall -Wextra -pedantic -Werror "${EXAMPLE}/main.c"
                        "${FOLDER}/network.o" -o "${FOLDER}/c_interface" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${FOLDER}/c_interface" COMMAND_ERROR_IS_FATAL ANY)
