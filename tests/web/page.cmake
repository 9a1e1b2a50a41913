# SPDX-License-Identifier: BSL-1.0
# Builds the page and visits it: page.html#test draws, teaches, saves and restores by itself, and says what it saw.
# Usage: cmake -DSOURCE=. -DFOLDER=folder -P page.cmake
cmake_minimum_required(VERSION 3.24)
set(OUTPUT "${FOLDER}")
include("${SOURCE}/examples/web/build.cmake")
find_program(BROWSER NAMES chromium chromium-browser google-chrome)
if(NOT EXISTS "${FOLDER}/digits.html" OR NOT BROWSER)
  message("SKIPPED: the page needs clang 19 for WebAssembly, and a browser (chromium)")
  return()
endif()

execute_process(
  COMMAND "${BROWSER}" --headless --no-sandbox --disable-gpu "--user-data-dir=${FOLDER}/browser" --dump-dom
          "file://${FOLDER}/digits.html#test"
  TIMEOUT 300
  OUTPUT_VARIABLE page
  ERROR_QUIET)
string(REGEX MATCH "<output id=\"verdict\"[^>]*>([^<]*)<" _ "${page}")
message("${CMAKE_MATCH_1}")
if(NOT CMAKE_MATCH_1 MATCHES "^right: ")
  message(FATAL_ERROR "The page says \"${CMAKE_MATCH_1}\"")
endif()
file(SIZE "${FOLDER}/digits.wasm" bytes)
if(bytes GREATER 60000)
  message(FATAL_ERROR "The program in the page has ${bytes} bytes; a page of tens of kilobytes was promised")
endif()
