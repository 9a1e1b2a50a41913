# SPDX-License-Identifier: BSL-1.0
# cmake -P examples/web/build.cmake [-DOUTPUT=FOLDER]: makes FOLDER/digits.html, a page that trains a classifier of
# digits. It is one file, needs no network, and opens from the disk. Needs clang 19, its linker of WebAssembly and the
# headers of its C++ library for it: Debian's clang-19 lld-19 libc++-19-dev-wasm32 wasi-libc, and Boost.Hana.
cmake_minimum_required(VERSION 3.24)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH examples)
cmake_path(GET examples PARENT_PATH source)
if(NOT OUTPUT)
  set(OUTPUT "${source}/build/web")
endif()

find_program(CLANG NAMES clang++-19 clang++)
find_program(LINKER NAMES wasm-ld-19 wasm-ld)
find_path(HEADERS c++/v1/array PATHS /usr/include/wasm32-wasi NO_DEFAULT_PATH)
find_path(BOOST boost/hana.hpp PATHS /usr/include /usr/local/include)
foreach(needed IN ITEMS CLANG LINKER HEADERS BOOST)
  if(NOT ${needed})
    message("SKIPPED: there is no ${needed}; apt-get install clang-19 lld-19 libc++-19-dev-wasm32 wasi-libc libboost-dev")
    return()
  endif()
endforeach()

# Hana alone: the host's other headers are not for this machine.
file(MAKE_DIRECTORY "${OUTPUT}/headers")
file(CREATE_LINK "${BOOST}/boost" "${OUTPUT}/headers/boost" SYMBOLIC)

set(exports __wasm_call_ctors pixels saved parameter_bytes trainer_bytes draw keep train recognize share_right save load
            restart)
list(TRANSFORM exports PREPEND "-Wl,--export=")
execute_process(
  COMMAND
    "${CLANG}" --target=wasm32-wasi -std=c++20 -O2 -msimd128 -mbulk-memory -ffreestanding -fno-exceptions -fno-rtti
    -fconstexpr-steps=2000000000 -fconstexpr-depth=4096 -ftemplate-depth=4096 -fbracket-depth=4096 -Wall -Wextra
    -nostdlib "-fuse-ld=${LINKER}" -Wl,--no-entry -Wl,--strip-all ${exports} "-I${source}/include" "-I${examples}"
    -isystem "${OUTPUT}/headers" "${CMAKE_CURRENT_LIST_DIR}/digits.cpp" -o "${OUTPUT}/digits.wasm"
    COMMAND_ERROR_IS_FATAL ANY)

file(READ "${OUTPUT}/digits.wasm" wasm HEX)
file(READ "${CMAKE_CURRENT_LIST_DIR}/page.html" page)
string(REPLACE "@WASM@" "${wasm}" page "${page}")
file(WRITE "${OUTPUT}/digits.html" "${page}")
file(SIZE "${OUTPUT}/digits.wasm" bytes)
message("${OUTPUT}/digits.html: the program in it has ${bytes} bytes")
