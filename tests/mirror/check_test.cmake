# SPDX-License-Identifier: BSL-1.0
# check.cmake finds headers without tests: among files that are made up here.
# Usage: cmake -DFOLDER=folder -P check_test.cmake
cmake_minimum_required(VERSION 3.24)

set(failed)

# What is said where these lines stand in mirror.cmake, beside headers of which one has a test at its path, one is
# written by a test, and `left` ones have neither; nothing is said where all have one.
function(expect sentence left lines)
  file(REMOVE_RECURSE "${FOLDER}")
  foreach(header room/own ops/deep/named ${left})
    file(WRITE "${FOLDER}/include/${header}.hpp" "")
  endforeach()
  file(WRITE "${FOLDER}/tests/room/own.cpp" "")
  file(WRITE "${FOLDER}/tests/laws/theme.cpp" "tl::named(x) + tl::other_one(x)")
  file(WRITE "${FOLDER}/mirror.cmake" "${lines}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DINCLUDE=${FOLDER}/include" "-DTESTS=${FOLDER}/tests"
            "-DMIRROR=${FOLDER}/mirror.cmake" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check.cmake"
    RESULT_VARIABLE code
    OUTPUT_QUIET
    ERROR_VARIABLE errors)
  string(FIND "${errors}" "${sentence}" at)
  if((sentence AND at EQUAL -1) OR (NOT sentence AND NOT code STREQUAL "0"))
    set(failed "${failed}\n  ${lines}: ${errors}" PARENT_SCOPE)
  endif()
endfunction()

set(named "named(ops laws)\n")
expect("" "" "${named}")
expect("" "room/new" "${named}tested_by(laws/theme.cpp room/new.hpp)")
expect("" "room/new" "${named}tested_by(laws room/new.hpp)")
expect("" "room/new" "${named}untested(\"a type\" room/new.hpp)")
expect("ops/deep/named.hpp has no test" "" "")
expect("room/new.hpp has no test" "room/new" "${named}")
expect("ops/other.hpp has no test" "ops/other" "${named}") # tl::other_one is another
expect("room/named.hpp has no test" "room/named" "${named}") # of another room
expect("tests/laws/gone.cpp, which is not there" "room/new" "${named}tested_by(laws/gone.cpp room/new.hpp)")
expect("room/gone.hpp stands in" "" "${named}tested_by(laws room/gone.hpp)")
expect("room/new.hpp stands in" "room/new" "${named}tested_by(laws room/new.hpp room/new.hpp)")
expect("room/own.hpp has a test at its path" "" "${named}untested(\"a type\" room/own.hpp)")

file(REMOVE_RECURSE "${FOLDER}")
if(failed)
  message(FATAL_ERROR "mirror/check.cmake:${failed}")
endif()
