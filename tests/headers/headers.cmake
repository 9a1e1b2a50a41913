# SPDX-License-Identifier: BSL-1.0
# Every header is usable alone, any number of times, in any number of translation units of one program.

set(include "${PROJECT_SOURCE_DIR}/include")
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${include}" "${include}/tapeless/*.hpp")
list(FILTER headers EXCLUDE REGEX "/cuda/") # needs nvcc
if(NOT TARGET tapeless::thrust_host)
  list(FILTER headers EXCLUDE REGEX "/thrust")
endif()

# What another header includes before anything else is compiled alone with that one.
set(first)
foreach(header IN LISTS headers)
  file(STRINGS "${include}/${header}" line REGEX "^#(include|if)" LIMIT_COUNT 1)
  if(line MATCHES "^#include <(tapeless/.*)>")
    list(APPEND first "${CMAKE_MATCH_1}")
  endif()
endforeach()
list(REMOVE_ITEM headers ${first})

set(sources)
foreach(header IN LISTS headers)
  configure_file(headers/alone.cpp.in "headers/${header}.cpp" @ONLY)
  list(APPEND sources "${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp")
endforeach()

add_executable(headers headers/main.cpp ${sources})
set_target_properties(headers PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bin")
target_link_libraries(headers PRIVATE tapeless::tapeless $<TARGET_NAME_IF_EXISTS:tapeless::thrust_host>)
tapeless_warnings(headers -Wconversion)
target_compile_options(headers PRIVATE -O0) # nothing in it runs
tapeless_add_test(headers headers)
