# SPDX-License-Identifier: BSL-1.0
# Every header is usable alone, any number of times, in any number of translation units of one program, and behind any
# others.
#
# Alone means that nothing stands before a header but what it includes itself. So nothing is lost, and most of the
# time is saved, where what stands before it is something that it does include: a precompiled header, or another header
# that is compiled alone by the same translation unit.

set(include "${PROJECT_SOURCE_DIR}/include")
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${include}" "${include}/tapeless/*.hpp")
list(FILTER headers EXCLUDE REGEX "/cuda/|/nccl|/cluster/device_") # needs nvcc
if(NOT TARGET tapeless::mpi)
  list(FILTER headers EXCLUDE REGEX "/mpi[.]hpp$")
endif()
if(NOT TARGET tapeless::thrust_host)
  list(FILTER headers EXCLUDE REGEX "/thrust")
endif()
foreach(header IN LISTS headers)
  file(STRINGS "${include}/${header}" included REGEX "^#include <tapeless/")
  list(TRANSFORM included REPLACE "^#include <([^>]*)>.*" "\\1")
  list(FILTER included EXCLUDE REGEX "/cuda/")
  set("included_${header}" "${included}")
  foreach(other IN LISTS included)
    list(APPEND "users_${other}" "${header}")
  endforeach()
endforeach()

# What is precompiled for the headers that include it, directly or not; those that include several have the last one,
# so the longest with what it includes is last. These were chosen one after the other, each for what it saved.
set(bases graph/core/element.hpp error.hpp train/loop/measurement.hpp graph/core/list.hpp ops/pointwise/cast.hpp
          plan/families/planned_axis_loop.hpp io/file.hpp optim/base/gradient_transform.hpp data/dataset.hpp
          run/common/kernel_key.hpp run/cpu/vectors/eigen.hpp matrices/eigen_factors.hpp train/program/parameters.hpp
          ops/spectral/fourier.hpp run/cpu/vectors/total_of_lanes.hpp)
list(TRANSFORM bases PREPEND tapeless/)
foreach(base IN LISTS bases)
  set(users "${base}")
  set(next "${base}")
  while(next)
    list(POP_FRONT next header)
    set(more ${users_${header}})
    list(REMOVE_ITEM more ${users})
    list(APPEND users ${more})
    list(APPEND next ${more})
  endwhile()
  foreach(header IN LISTS included_${base})
    if(header IN_LIST users)
      message(FATAL_ERROR "${base} and ${header} include one another: precompiled, neither would stand alone")
    endif()
  endforeach()
  list(POP_FRONT users) # itself
  foreach(header IN LISTS users)
    set("base_${header}" "${base}")
  endforeach()
endforeach()

# Each header behind one that it includes, which stands behind one that that one includes, and so on: each is the next
# one of one header at most.
set(last ${headers})
foreach(header IN LISTS headers)
  foreach(other IN LISTS "included_${header}")
    if(other IN_LIST last AND "${base_${other}}" STREQUAL "${base_${header}}" AND NOT header IN_LIST included_${other})
      set("before_${header}" "${other}")
      list(REMOVE_ITEM last "${other}")
      break()
    endif()
  endforeach()
endforeach()
foreach(header IN LISTS last)
  set(includes)
  set(at "${header}")
  while(at)
    string(PREPEND includes "#include <${at}>\n")
    set(at "${before_${at}}")
  endwhile()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// SPDX-License-Identifier: BSL-1.0\n${includes}#include <${header}>\n" @ONLY)
  list(APPEND "sources_${base_${header}}" "${source}")
endforeach()

# All one behind the other, in an order that nobody chose, and in its reverse: a name that one of them declares in
# tapeless::detail must not hide another one's in tapeless.
set(in_some_order)
foreach(header IN LISTS headers)
  string(MD5 hash "${header}")
  list(APPEND in_some_order "${hash}#include <${header}>")
endforeach()
list(SORT in_some_order)
foreach(order IN ITEMS some_order its_reverse)
  list(TRANSFORM in_some_order REPLACE "^[0-9a-f]*#" "#" OUTPUT_VARIABLE includes)
  list(JOIN includes "\n" includes)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${order}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// SPDX-License-Identifier: BSL-1.0\n${includes}\n" @ONLY)
  list(APPEND sources_ "${source}")
  list(REVERSE in_some_order)
endforeach()

add_executable(headers headers/main.cpp)
target_link_libraries(headers PRIVATE tapeless::tapeless) # and what that one links
set_target_properties(headers PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bin")
tapeless_add_test(headers headers)
foreach(base IN ITEMS "" ${bases})
  string(MAKE_C_IDENTIFIER "headers_${base}" target)
  add_library(${target} OBJECT ${sources_${base}})
  target_link_libraries(${target} PRIVATE tapeless::tapeless $<TARGET_NAME_IF_EXISTS:tapeless::thrust_host>
                        $<TARGET_NAME_IF_EXISTS:tapeless::mpi>)
  tapeless_warnings(${target} -Wconversion)
  target_compile_options(${target} PRIVATE -O0 -g0) # nothing in it runs
  if(base)
    target_precompile_headers(${target} PRIVATE "<${base}>")
  endif()
  target_sources(headers PRIVATE $<TARGET_OBJECTS:${target}>)
endforeach()
