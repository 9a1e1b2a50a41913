# SPDX-License-Identifier: BSL-1.0
# How a dependency is taken in: a target that is there already, else the machine's package, else its
# pinned sources.
include(FetchContent)

# find_package, unless -DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=NEVER asks for the pinned sources. A macro,
# since packages set variables; what it finds is visible in the whole project that uses the library.
macro(tapeless_find package)
  if(NOT "${FETCHCONTENT_TRY_FIND_PACKAGE_MODE}" STREQUAL "NEVER")
    find_package(${package} ${ARGN} QUIET GLOBAL)
  endif()
endmacro()

# Headers that were fetched become a target of ours, installed with the library, so that the installed
# package needs neither network nor the dependency's own package.
function(tapeless_vendor name directory)
  add_library(tapeless_${name} INTERFACE)
  set_target_properties(tapeless_${name} PROPERTIES EXPORT_NAME ${name})
  set(installed "${CMAKE_INSTALL_INCLUDEDIR}/tapeless-vendored/${name}")
  target_include_directories(tapeless_${name} SYSTEM INTERFACE "$<BUILD_INTERFACE:${directory}>"
                                                               "$<INSTALL_INTERFACE:${installed}>")
  if(TAPELESS_INSTALL)
    install(TARGETS tapeless_${name} EXPORT tapelessTargets)
    foreach(folder IN LISTS ARGN)
      cmake_path(GET folder PARENT_PATH above)
      install(DIRECTORY "${directory}/${folder}" DESTINATION "${installed}/${above}" COMPONENT tapeless)
    endforeach()
  endif()
endfunction()

# Its headers are not ours: no warnings from them.
function(tapeless_system target)
  get_target_property(directories ${target} INTERFACE_INCLUDE_DIRECTORIES)
  set_property(TARGET ${target} PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${directories}")
endfunction()
