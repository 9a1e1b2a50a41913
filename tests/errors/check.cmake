# SPDX-License-Identifier: BSL-1.0
# Compiles the wrong program SOURCE with COMPILER and the arguments in the file FLAGS, behind the file HEADERS,
# which is compiled already. Its comments say what must happen:
#   // expect: TEXT         stands in the diagnostics (/.../ is a regular expression)
#   // expect-gnu: TEXT     the same, only with g++; expect-clang: only with clang
#   // reject: TEXT         stands nowhere in the diagnostics
# With CORRECTED defined the same file must compile, so that nothing else is wrong with it.
cmake_minimum_required(VERSION 3.24)
set(ENV{LC_ALL} C) # plain quotation marks
string(TOLOWER "${COMPILER_ID}" compiler)

# Sets `code` and `diagnostics`, the latter with every run of white space as one space.
function(compile)
  execute_process(
    COMMAND "${COMPILER}" "@${FLAGS}" -include "${HEADERS}" -fsyntax-only ${ARGN} "${SOURCE}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \t\r\n]+" " " flat "${output}")
  set(code "${result}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
  set(diagnostics "${flat}" PARENT_SCOPE)
endfunction()

function(contains pattern result)
  if(pattern MATCHES "^/(.*)/$")
    set(expression "${CMAKE_MATCH_1}")
    set(found FALSE)
    if(diagnostics MATCHES "${expression}")
      set(found TRUE)
    endif()
  else()
    string(FIND "${diagnostics}" "${pattern}" at)
    set(found TRUE)
    if(at EQUAL -1)
      set(found FALSE)
    endif()
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Judges one comment of the program; sets `expected` when it names a sentence.
function(judge kind pattern)
  contains("${pattern}" found)
  if(kind STREQUAL "reject")
    if(found)
      message(FATAL_ERROR "${SOURCE}: the diagnostics hold «${pattern}»:\n${output}")
    endif()
  elseif(kind STREQUAL "expect" OR kind STREQUAL "expect-${compiler}")
    set(expected TRUE PARENT_SCOPE)
    if(NOT found)
      message(FATAL_ERROR "${SOURCE}: the diagnostics do not hold «${pattern}»:\n${output}")
    endif()
  endif()
endfunction()

compile()
if(code STREQUAL "0")
  message(FATAL_ERROR "${SOURCE}: the wrong program compiles")
endif()

set(expected FALSE)
file(READ "${SOURCE}" rest)
while(rest MATCHES "// (expect|expect-gnu|expect-clang|reject): ([^\r\n]*)")
  set(kind "${CMAKE_MATCH_1}")
  string(STRIP "${CMAKE_MATCH_2}" pattern)
  string(FIND "${rest}" "${CMAKE_MATCH_0}" at)
  string(LENGTH "${CMAKE_MATCH_0}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${rest}" ${at} -1 rest)
  judge("${kind}" "${pattern}")
endwhile()
if(NOT expected)
  message(FATAL_ERROR "${SOURCE}: no «// expect: ...» comment for ${COMPILER_ID}")
endif()

compile(-DCORRECTED)
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "${SOURCE}: the corrected program does not compile:\n${output}")
endif()
