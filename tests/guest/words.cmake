# SPDX-License-Identifier: BSL-1.0
# Words that may stand in few headers: those of exceptions, which a program may be compiled without, those that not
# every compiler takes, and what is dear to include. Comments may have them. Usage: cmake -DINCLUDE=include/tapeless -P words.cmake
cmake_minimum_required(VERSION 3.24)

set(wrong)
file(GLOB_RECURSE headers RELATIVE "${INCLUDE}" "${INCLUDE}/*.hpp")
list(LENGTH headers count)
if(count EQUAL 0)
  message(FATAL_ERROR "No headers in ${INCLUDE}")
endif()

# The text of each header without comments and quoted texts, line by line.
foreach(header IN LISTS headers)
  file(READ "${INCLUDE}/${header}" text)
  string(REPLACE "[" " ( " text "${text}") # brackets and semicolons are marks of CMake's lists
  string(REPLACE "]" " ) " text "${text}")
  string(REPLACE ";" " , " text "${text}")
  string(REGEX REPLACE "'\\\\?\"'" "' '" text "${text}")
  string(REGEX REPLACE "\"([^\"\n\\]|\\\\.)*\"" "\"\"" text "${text}")
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  set("text_${header}" "${text}")
endforeach()

# The words of a regular expression stand in the headers ARGN alone; `instead` says what others write.
function(only_in words instead)
  foreach(header IN LISTS headers)
    if(NOT header IN_LIST ARGN AND "\n${text_${header}}" MATCHES "[^A-Za-z0-9_](${words})")
      string(STRIP "${CMAKE_MATCH_1}" word)
      string(APPEND wrong "\n  ${header} has ${word}; write ${instead}")
    endif()
  endforeach()
  set(wrong "${wrong}" PARENT_SCOPE)
endfunction()

set(end "[^A-Za-z0-9_]")
only_in("throw${end}" "throw_error({...})" error.hpp exceptions.hpp)
only_in("try${end}|catch${end}|std::rethrow_exception|std::current_exception" "what exceptions.hpp has" exceptions.hpp)
only_in("typeid${end}|dynamic_cast${end}|std::any${end}" "what works with -fno-rtti")
only_in("__PRETTY_FUNCTION__|__FUNCSIG__" "TAPELESS_FUNCTION_TEXT" graph/core/compiler.hpp)
only_in("#pragma GCC|#pragma clang|_Pragma" "it in one of the headers for that" graph/core/compiler.hpp
        expr/compile_error.hpp graph/core/intrinsics.hpp)
only_in("__builtin_|__attribute__|__extension__|__int128|__float128|__typeof__|typeof${end}|asm${end}|__asm__"
        "standard C++" graph/core/compiler.hpp graph/core/half.hpp graph/core/rounded.hpp ops/base/scalar.hpp run/bare/bare_shuffles.hpp run/bare/bare_vectors.hpp run/bare/square_root.hpp
        run/cpu/convolution/packed_planes.hpp run/cpu/families/cpu_axis_loop.hpp run/cpu/threads/denormals.hpp run/cpu/threads/worker_pool.hpp)
only_in("#include <cmath>" "#include <tapeless/graph/core/cmath.hpp>, which g++ reads once" graph/core/cmath.hpp)

if(wrong)
  message(FATAL_ERROR "Words that stand in the wrong header:${wrong}")
endif()
message(STATUS "${count} headers have only words that are theirs to have")
