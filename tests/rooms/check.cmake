# SPDX-License-Identifier: BSL-1.0
# Each header of include/tapeless includes only what its room may: all arrows of the design go one way.
# Usage: cmake -DINCLUDE=folder -DROOMS=rooms.cmake -P check.cmake
#
# A header of ROOM/SUBROOM may include
#   - whole rooms that ROOM's line in rooms.cmake names after MAY
#   - its own sub-room, and those that stand before it in ROOM's ORDER
# What stands in ROOM itself, umbrellas and the like, counts as its last sub-room. A room without an ORDER has no
# arrows inside.
cmake_minimum_required(VERSION 3.24)

set(wrong)
set(rooms)
macro(room name)
  cmake_parse_arguments("${name}" "" "" "MAY;ORDER" ${ARGN})
  list(APPEND rooms ${name})
  foreach(other IN LISTS ${name}_MAY)
    if(NOT other IN_LIST rooms)
      string(APPEND wrong "\n  rooms.cmake: ${name} may include ${other}, which does not stand before it")
    endif()
  endforeach()
endmacro()
include("${ROOMS}")

# ROOM/SUB/ROOM/NAME.hpp as ROOM and SUB/ROOM, which is empty for ROOM/NAME.hpp
macro(parts path room sub_room)
  string(REGEX MATCH "^([^/]*)/(.*/)?[^/]*$" ${room} "${path}")
  set(${room} "${CMAKE_MATCH_1}")
  string(REGEX REPLACE "/$" "" ${sub_room} "${CMAKE_MATCH_2}")
endmacro()

# The sub-room's place in its room; -1 where rooms.cmake does not know it.
macro(place result room sub_room)
  set(order ${${room}_ORDER} "")
  list(FIND order "${sub_room}" ${result})
endmacro()

file(GLOB_RECURSE headers RELATIVE "${INCLUDE}/tapeless" "${INCLUDE}/tapeless/*/*.hpp")
foreach(header IN LISTS headers)
  parts("${header}" room from)
  if(NOT room IN_LIST rooms)
    string(APPEND wrong "\n  ${header}: there is no room ${room}")
    continue()
  endif()
  place(here ${room} "${from}")
  if(${room}_ORDER AND here EQUAL -1)
    string(APPEND wrong "\n  ${header}: ${room} has no sub-room ${from}")
    continue()
  endif()

  file(STRINGS "${INCLUDE}/tapeless/${header}" lines REGEX "^#include <tapeless/.*/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include <tapeless/([^>]*)>.*" "\\1" included "${line}")
    parts("${included}" other to)
    set(allowed FALSE)
    if(NOT other STREQUAL room)
      if(other IN_LIST ${room}_MAY)
        set(allowed TRUE)
      endif()
    elseif(${room}_ORDER)
      place(there ${room} "${to}")
      if(there GREATER -1 AND NOT there GREATER here)
        set(allowed TRUE)
      endif()
    else()
      set(allowed TRUE)
    endif()
    if(NOT allowed)
      string(APPEND wrong "\n  ${header}: ${line}")
    endif()
  endforeach()
endforeach()

# ops/ROOM.hpp is the umbrella of ops/ROOM, and operations.hpp that of all of them.
foreach(room IN LISTS ops_ORDER)
  file(GLOB own RELATIVE "${INCLUDE}" "${INCLUDE}/tapeless/ops/${room}/*.hpp")
  if(room STREQUAL "base" OR NOT own)
    continue()
  endif()
  foreach(line IN LISTS own ITEMS "operations.hpp:tapeless/ops/${room}.hpp")
    set(umbrella "ops/${room}.hpp")
    if(line MATCHES "^(.*):(.*)$")
      set(umbrella "${CMAKE_MATCH_1}")
      set(line "${CMAKE_MATCH_2}")
    endif()
    file(STRINGS "${INCLUDE}/tapeless/${umbrella}" found REGEX "^#include <${line}>")
    if(NOT found)
      string(APPEND wrong "\n  ${umbrella} lacks #include <${line}>")
    endif()
  endforeach()
endforeach()

list(LENGTH headers count)
if(count EQUAL 0)
  message(FATAL_ERROR "No headers in ${INCLUDE}")
elseif(wrong)
  message(FATAL_ERROR "Includes that point the wrong way:${wrong}")
endif()
message(STATUS "${count} headers include only what their rooms may")
