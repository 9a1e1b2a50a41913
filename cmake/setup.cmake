# SPDX-License-Identifier: BSL-1.0
# What the two commands share: the packages, a configured build folder, a build. For cmake -P.

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH SETUP_SOURCE)
set(SETUP_JOBS 2)  # compiling templates takes memory

# -DNAME=VALUE counts after the script's name too, where cmake itself ignores it.
macro(setup_arguments)
  foreach(setup_index RANGE ${CMAKE_ARGC})
    if("${CMAKE_ARGV${setup_index}}" MATCHES "^-D([A-Za-z_]+)=(.*)$")
      set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
endmacro()

# Runs a command with its output shown, and stops with `sentence` when it fails.
function(setup_run sentence)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code STREQUAL "0")
    message(FATAL_ERROR "${sentence}")
  endif()
endfunction()

# The packages among ARGN that Debian's or Ubuntu's package manager does not have installed.
function(setup_missing result)
  set(missing)
  foreach(package IN LISTS ARGN)
    execute_process(
      COMMAND dpkg-query -W "-f=\${db:Status-Status}" ${package}
      OUTPUT_VARIABLE status
      ERROR_QUIET)
    if(NOT status STREQUAL "installed")
      list(APPEND missing ${package})
    endif()
  endforeach()
  set(${result} "${missing}" PARENT_SCOPE)
endfunction()

# Sets `result` to what must stand before a command that root may run: nothing, sudo, or "no" where neither serves.
function(setup_as_root result)
  execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND sudo -n true RESULT_VARIABLE sudo OUTPUT_QUIET ERROR_QUIET)
  if(user STREQUAL "0")
    set(${result} "" PARENT_SCOPE)
  elseif(sudo STREQUAL "0")
    set(${result} sudo PARENT_SCOPE)
  else()
    set(${result} no PARENT_SCOPE)
  endif()
endfunction()

# Installs those of the packages ARGN that are missing, with apt where it may, and otherwise prints the line
# to run. Either way the build goes on: CMake fetches the libraries that a machine has no package of.
function(setup_packages)
  find_program(SETUP_APT apt-get)
  setup_missing(missing ${ARGN})
  if(NOT SETUP_APT OR NOT missing)
    return()
  endif()

  set(install apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends ${missing})
  list(JOIN missing " " names)
  setup_as_root(root)
  if(root STREQUAL "no")
    set(hint "To install what is missing, run\n  sudo apt-get install ${names}\n")
    set_property(GLOBAL PROPERTY SETUP_HINT " ${hint}")
    message("${hint}Without it, CMake downloads what it can.")
    return()
  endif()

  message("Installing ${names}")
  set(install ${root} env DEBIAN_FRONTEND=noninteractive ${install})
  execute_process(COMMAND ${install} RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
  if(NOT code STREQUAL "0") # the list of packages is old or empty
    execute_process(COMMAND ${root} apt-get update -q OUTPUT_QUIET)
    execute_process(COMMAND ${install} OUTPUT_QUIET)
  endif()
endfunction()

# The same for what a build cannot do without.
function(setup_build_tool)
  find_program(SETUP_NINJA ninja)
  find_program(SETUP_MAKE make)
  if(NOT SETUP_NINJA AND NOT SETUP_MAKE)
    setup_packages(make)
  endif()
endfunction()

# Configures the build folder `build` with the arguments ARGN; a second time it keeps its generator.
function(setup_configure build)
  setup_build_tool()
  find_program(SETUP_NINJA ninja)
  set(generator)
  if(NOT EXISTS "${build}/CMakeCache.txt")
    set(generator -G "Unix Makefiles")
    if(SETUP_NINJA)
      set(generator -G Ninja)
    endif()
  endif()
  get_property(hint GLOBAL PROPERTY SETUP_HINT)
  setup_run("The configuration failed.${hint}" "${CMAKE_COMMAND}" -S "${SETUP_SOURCE}" -B "${build}" ${generator}
            --log-level=NOTICE ${ARGN})
endfunction()
