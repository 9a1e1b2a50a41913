# SPDX-License-Identifier: BSL-1.0
# cmake -P benchmarks/bare/sizes.cmake: flash and memory that networks on tl::bare take on a Cortex-M4F, as the linker
# has them, with all that training needs; each takes three steps on an emulated board.
# Needs Debian's gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib qemu-system-arm, and Boost.Hana.
cmake_minimum_required(VERSION 3.24)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH benchmarks)
cmake_path(GET benchmarks PARENT_PATH source)
set(folder "${source}/build/bare_sizes")
find_program(COMPILER arm-none-eabi-g++ REQUIRED)
find_program(SIZE arm-none-eabi-size REQUIRED)
find_program(EMULATOR qemu-system-arm REQUIRED)
find_path(BOOST boost/hana.hpp PATHS /usr/include /usr/local/include REQUIRED)
file(MAKE_DIRECTORY "${folder}/headers")
file(CREATE_LINK "${BOOST}/boost" "${folder}/headers/boost" SYMBOLIC)

set(networks "2-16-1, SGD" "4-64-64-2, Adam" "keywords: depthwise separable convolutions of 64 channels, SGD"
             "LSTM of 32 units over 20 steps, Adam" "4-64-64-64-64-64-2, tanh, Adam")
message("| network | flash, -Os | flash, -O2 | memory |")
message("|---|---|---|---|")
foreach(number RANGE 4)
  list(GET networks ${number} row)
  foreach(level IN ITEMS s 2)
    set(program "${folder}/${number}_${level}.elf")
    execute_process(
      COMMAND
        "${COMPILER}" -std=c++20 "-I${source}/include" "-I${source}/tests/bare" -isystem "${folder}/headers"
        -fconstexpr-ops-limit=2000000000 -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4096 -ftemplate-depth=4096
        -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O${level} -ffreestanding -fno-exceptions -fno-rtti
        -fno-threadsafe-statics -fno-math-errno -ffunction-sections -Wl,--gc-sections -nostdlib -DNETWORK=${number} -T
        "${source}/tests/bare/cortex_m.ld" "${CMAKE_CURRENT_LIST_DIR}/networks.cpp" -lgcc -o "${program}"
        COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${SIZE}" "${program}" OUTPUT_VARIABLE sizes COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "\n *([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)" _ "${sizes}")
    math(EXPR flash "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
    math(EXPR memory "${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}")
    execute_process(COMMAND "${EMULATOR}" -M mps2-an386 -nographic -semihosting-config enable=on,target=native -kernel
                            "${program}" RESULT_VARIABLE status TIMEOUT 300 OUTPUT_QUIET ERROR_QUIET)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "${row} ended with ${status}")
    endif()
    string(APPEND row " | ${flash}")
  endforeach()
  message("| ${row} | ${memory} |")
endforeach()
