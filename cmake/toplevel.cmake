# SPDX-License-Identifier: BSL-1.0
# What only the project itself may choose, never a library inside another project.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(TAPELESS_CCACHE ccache)
mark_as_advanced(TAPELESS_CCACHE)
if(TAPELESS_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # what ccache has to overlook where headers are precompiled
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
                                  CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
                                  "${TAPELESS_CCACHE}")
endif()
