# SPDX-License-Identifier: BSL-1.0
# 100 steps on emulated machines, microcontrollers and those of Linux, have the bits that they have on the host. Usage:
# cmake -DHOST=losses -DINCLUDE=include -DSOURCE=losses.cpp -DFOLDER=folder -P emulated.cmake
cmake_minimum_required(VERSION 3.24)

execute_process(COMMAND "${HOST}" OUTPUT_VARIABLE wanted COMMAND_ERROR_IS_FATAL ANY)
message("the host: ${wanted}")

# No folder of the host: bare.hpp needs no other library.
get_filename_component(here "${SOURCE}" DIRECTORY)

set(compile_flags -std=c++20 "-I${INCLUDE}" -fconstexpr-ops-limit=2000000000
                  -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4096 -ftemplate-depth=4096 -O2 -ffp-contract=off -Wall
                  -Wextra --param=ggc-min-heapsize=3000000) # the last as in tests/CMakeLists.txt

# The host's bits, or an error; `sizes` are shown.
function(compare machine status printed sizes)
  if(NOT status EQUAL 0 OR NOT printed STREQUAL wanted)
    message(SEND_ERROR "${machine} ended with ${status} and printed ${printed}, not ${wanted}")
  endif()
  message("${machine}: ${printed}${sizes}")
endfunction()

# What a program for a machine with these flags prints on an emulated board, and its sizes.
function(check_board board)
  set(program "${FOLDER}/${board}.elf")
  execute_process(
    COMMAND "${arm_compiler}" ${compile_flags} -mthumb ${ARGN} -ffreestanding -fno-exceptions -fno-rtti
            -fno-threadsafe-statics -nostdlib -T "${here}/cortex_m.ld" "${SOURCE}" -lgcc -o "${program}"
            COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${arm_emulator}" -M ${board} -nographic -semihosting-config enable=on,target=native -kernel
                          "${program}" OUTPUT_VARIABLE printed ERROR_VARIABLE printed RESULT_VARIABLE status TIMEOUT 120)
  execute_process(COMMAND arm-none-eabi-size "${program}" OUTPUT_VARIABLE sizes)
  compare(${board} "${status}" "${printed}" "${sizes}")
endfunction()

# The same with an operating system.
function(check_linux machine)
  find_program(${machine}_compiler ${machine}-linux-gnu-g++)
  find_program(${machine}_emulator NAMES qemu-${machine} qemu-${machine}-static)
  if(NOT ${machine}_compiler OR NOT ${machine}_emulator)
    return()
  endif()
  set(program "${FOLDER}/${machine}")
  execute_process(COMMAND "${${machine}_compiler}" ${compile_flags} -static "${SOURCE}" -o "${program}"
                          COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${${machine}_emulator}" "${program}" OUTPUT_VARIABLE printed RESULT_VARIABLE status TIMEOUT 120)
  compare(${machine} "${status}" "${printed}" "")
  set(emulated TRUE PARENT_SCOPE)
endfunction()

find_program(arm_compiler arm-none-eabi-g++)
find_program(arm_emulator qemu-system-arm)
if(arm_compiler AND arm_emulator)
  set(emulated TRUE)
  check_board(mps2-an386 -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16)
  check_board(mps2-an500 -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16)
  check_board(mps2-an385 -mcpu=cortex-m3 -mfloat-abi=soft)
endif()
check_linux(riscv64)
check_linux(aarch64)
if(NOT emulated)
  message("SKIPPED: needs a cross compiler and its emulator (Debian: gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib "
          "qemu-system-arm, or g++-riscv64-linux-gnu or g++-aarch64-linux-gnu and qemu-user)")
endif()
