# SPDX-License-Identifier: BSL-1.0
# Compiles the wrong program SOURCE with COMPILER and the arguments in the file FLAGS, behind the file HEADERS,
# which is compiled already. Its comments say what must happen:
#   // expect: TEXT         stands in the diagnostics (/.../ is a regular expression)
#   // expect-gnu: TEXT     the same, only with g++; expect-clang: only with clang
#   // reject: TEXT         stands nowhere in the diagnostics
#   // first: TEXT          stands in the line of the first error; also first-gnu, first-clang
#   // lines: NUMBER        the diagnostics have no more lines; also lines-gnu, lines-clang
#   // alone                the program is compiled without HEADERS: it sees what it includes, and no more
# With CORRECTED defined the same file must compile, so that nothing else is wrong with it; not asked with
# -DCORRECTED=OFF, where another compiler is, nor where the environment says that another test asks it of all.
cmake_minimum_required(VERSION 3.24)
set(ENV{LC_ALL} C) # plain quotation marks
string(TOLOWER "${COMPILER_ID}" compiler)

# Sentences as they are meant: every run of white space is one space; without the backslashes that some
# compilers write before quotation marks, and without the joints where clang quotes a sentence in parts.
function(plain text result)
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(REGEX REPLACE "\"}, (tapeless::)?sentence<[0-9]+>{\"" "" text "${text}")
  string(REGEX REPLACE "\\\\([\"'])" "\\1" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

file(STRINGS "${SOURCE}" alone REGEX "^// alone$")
set(behind -include "${HEADERS}")
if(alone)
  set(behind)
endif()

# Sets `code`, `output`, the plain `diagnostics` and the plain line of the first error, `first`.
function(compile)
  execute_process(
    COMMAND "${COMPILER}" "@${FLAGS}" ${behind} -fsyntax-only ${ARGN} "${SOURCE}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  set(code "${result}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
  plain("${output}" diagnostics)
  set(diagnostics "${diagnostics}" PARENT_SCOPE)
  set(first "")
  if(output MATCHES "error: ([^\n]*)")
    plain("${CMAKE_MATCH_1}" first)
  endif()
  set(first "${first}" PARENT_SCOPE)
endfunction()

function(contains text pattern result)
  if(pattern MATCHES "^/(.*)/$")
    set(expression "${CMAKE_MATCH_1}")
    set(found FALSE)
    if(text MATCHES "${expression}")
      set(found TRUE)
    endif()
  else()
    plain("${pattern}" pattern)
    string(FIND "${text}" "${pattern}" at)
    set(found TRUE)
    if(at EQUAL -1)
      set(found FALSE)
    endif()
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

function(check_lines limit)
  string(REGEX MATCHALL "\n" lines "${output}")
  list(LENGTH lines count)
  if(count GREATER limit)
    message(FATAL_ERROR "${SOURCE}: the diagnostics have ${count} lines, more than ${limit}:\n${output}")
  endif()
endfunction()

# Judges one comment of the program; sets `expected` when it names a sentence.
function(judge kind pattern)
  if(kind STREQUAL "lines" OR kind STREQUAL "lines-${compiler}")
    check_lines(${pattern})
  elseif(kind STREQUAL "reject")
    contains("${diagnostics}" "${pattern}" found)
    if(found)
      message(FATAL_ERROR "${SOURCE}: the diagnostics hold «${pattern}»:\n${output}")
    endif()
  elseif(kind STREQUAL "first" OR kind STREQUAL "first-${compiler}")
    contains("${first}" "${pattern}" found)
    if(NOT found)
      message(FATAL_ERROR "${SOURCE}: the first error does not hold «${pattern}»:\n${output}")
    endif()
  elseif(kind STREQUAL "expect" OR kind STREQUAL "expect-${compiler}")
    set(expected TRUE PARENT_SCOPE)
    contains("${diagnostics}" "${pattern}" found)
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
while(rest MATCHES "// (expect|expect-gnu|expect-clang|first|first-gnu|first-clang|lines|lines-gnu|lines-clang|reject): ([^\r\n]*)")
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

if((DEFINED CORRECTED AND NOT CORRECTED) OR DEFINED ENV{TAPELESS_CORRECTED_TOGETHER})
  return()
endif()
compile(-DCORRECTED)
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "${SOURCE}: the corrected program does not compile:\n${output}")
endif()
