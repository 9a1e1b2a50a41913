# SPDX-License-Identifier: BSL-1.0
# Every program in README.md is a file that is compiled and run: the block behind <!-- FILE --> is FILE, to the
# letter, from its first include on; and there is no block of C++ without such a line.
# Usage: cmake -DSOURCE=folder -P check.cmake
cmake_minimum_required(VERSION 3.24)

file(READ "${SOURCE}/README.md" readme)
string(REPLACE ";" "\\;" readme "${readme}")
string(REGEX MATCHALL "```cpp\n" blocks "${readme}")
string(REGEX MATCHALL "<!-- [^ ]+ -->\n```cpp\n" marks "${readme}")
list(LENGTH blocks block_count)
list(LENGTH marks mark_count)
if(NOT block_count EQUAL mark_count OR block_count EQUAL 0)
  message(FATAL_ERROR "README.md has ${block_count} programs, but names the files of ${mark_count}")
endif()

foreach(mark IN LISTS marks)
  string(REGEX REPLACE "<!-- ([^ ]+) -->.*" "\\1" file "${mark}")
  string(FIND "${readme}" "${mark}" begin)
  string(LENGTH "${mark}" length)
  math(EXPR begin "${begin} + ${length}")
  string(SUBSTRING "${readme}" ${begin} -1 rest)
  string(FIND "${rest}" "```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  file(READ "${SOURCE}/${file}" program)
  string(REPLACE ";" "\\;" program "${program}")
  string(FIND "${program}" "#include" begin)
  string(SUBSTRING "${program}" ${begin} -1 program)
  if(NOT block STREQUAL program)
    message(FATAL_ERROR "The program in README.md is not ${file}")
  endif()
endforeach()
message(STATUS "${block_count} programs in README.md are the files that they name")
