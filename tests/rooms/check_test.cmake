# SPDX-License-Identifier: BSL-1.0
# check.cmake finds wrong includes: on headers that are made up here. Usage: cmake -DFOLDER=folder -P check_test.cmake
cmake_minimum_required(VERSION 3.24)

set(failed)

# Whether a header PATH that includes INCLUDED is refused, beside others that are right.
function(expect verdict path included)
  file(REMOVE_RECURSE "${FOLDER}")
  file(WRITE "${FOLDER}/rooms.cmake" "room(lower)\nroom(upper MAY lower ORDER first first/inner second)\nshared_names(a)\n${ARGN}")
  foreach(header lower/a upper/first/a upper/first/inner/a upper/second/a upper/all)
    file(WRITE "${FOLDER}/include/tapeless/${header}.hpp" "#include <vector>\n")
  endforeach()
  file(WRITE "${FOLDER}/include/tapeless/${path}.hpp" "#include <vector>\n#include <tapeless/${included}.hpp>\n")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DINCLUDE=${FOLDER}/include" "-DROOMS=${FOLDER}/rooms.cmake" -P
            "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check.cmake"
    RESULT_VARIABLE code
    OUTPUT_QUIET
    ERROR_VARIABLE errors)
  set(got refused)
  if(code STREQUAL "0")
    set(got allowed)
  elseif(NOT errors MATCHES "${path}.hpp|rooms.cmake: ")
    set(got "refused without its name")
  endif()
  if(NOT got STREQUAL verdict)
    set(failed "${failed}\n  ${path} with ${included}: ${got}, not ${verdict}" PARENT_SCOPE)
  endif()
endfunction()

expect(allowed upper/second/b lower/a) # another room, as a whole
expect(allowed upper/second/b upper/second/a) # its own sub-room
expect(allowed upper/second/b upper/first/inner/a) # an earlier one
expect(allowed upper/all upper/second/a) # an umbrella
expect(refused lower/b upper/first/a) # a room above
expect(refused upper/first/b upper/second/a) # a later sub-room
expect(refused upper/first/b upper/first/inner/a) # a later one inside its own
expect(refused upper/second/b upper/all) # an umbrella from inside
expect(refused upper/third/b lower/a) # a sub-room without a place
expect(refused upper/first/b upper/third/a) # the same, included
expect(refused other/b lower/a) # a room without a line
expect(refused upper/second/b lower/a "room(late MAY later)\nroom(later)\n") # rooms in a circle
expect(refused upper/second/all lower/a) # a name that another header has
expect(allowed upper/second/all lower/a "shared_names(all)\n") # by intent
expect(refused upper/second/b lower/a "shared_names(b)\n") # which only one has

file(REMOVE_RECURSE "${FOLDER}")
if(failed)
  message(FATAL_ERROR "rooms/check.cmake:${failed}")
endif()
