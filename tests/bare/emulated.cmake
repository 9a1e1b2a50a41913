# SPDX-License-Identifier: BSL-1.0
# 100 steps on emulated microcontrollers have the bits that they have on the host. Usage:
# cmake -DHOST=losses -DINCLUDE=include -DBOOST=/usr/include
# -DSOURCE=losses.cpp -DFOLDER=folder -P emulated.cmake
cmake_minimum_required(VERSION 3.24)

find_program(compiler arm-none-eabi-g++)
find_program(emulator qemu-system-arm)
if(NOT compiler OR NOT emulator)
  message("SKIPPED: needs arm-none-eabi-g++ and qemu-system-arm (Debian: gcc-arm-none-eabi "
          "libstdc++-arm-none-eabi-newlib qemu-system-arm)")
  return()
endif()

execute_process(COMMAND "${HOST}" OUTPUT_VARIABLE wanted COMMAND_ERROR_IS_FATAL ANY)
message("the host: ${wanted}")

# Of the host's folders Boost's alone: the others have headers of the host's C library.
file(MAKE_DIRECTORY "${FOLDER}/include")
file(CREATE_LINK "${BOOST}/boost" "${FOLDER}/include/boost" SYMBOLIC)
get_filename_component(here "${SOURCE}" DIRECTORY)

# What a program for a machine with these flags prints on an emulated board, and its sizes.
function(check_machine board)
  set(program "${FOLDER}/${board}.elf")
  execute_process(
    COMMAND
      "${compiler}" -std=c++20 "-I${INCLUDE}" -isystem "${FOLDER}/include" -fconstexpr-ops-limit=2000000000
      -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4096 -ftemplate-depth=4096 -mthumb ${ARGN} -O2 -ffreestanding
      -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffp-contract=off -Wall -Wextra -nostdlib -T "${here}/cortex_m.ld"
      "${SOURCE}" -lgcc -o "${program}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${emulator}" -M ${board} -nographic -semihosting-config enable=on,target=native -kernel
                          "${program}" OUTPUT_VARIABLE printed ERROR_VARIABLE printed RESULT_VARIABLE status TIMEOUT 120)
  if(NOT status EQUAL 0 OR NOT printed STREQUAL wanted)
    message(SEND_ERROR "${board} ended with ${status} and printed ${printed}, not ${wanted}")
  endif()
  execute_process(COMMAND arm-none-eabi-size "${program}" OUTPUT_VARIABLE sizes)
  message("${board}: ${printed}${sizes}")
endfunction()

check_machine(mps2-an386 -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16)
check_machine(mps2-an500 -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16)
check_machine(mps2-an385 -mcpu=cortex-m3 -mfloat-abi=soft)
