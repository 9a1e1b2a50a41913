# SPDX-License-Identifier: BSL-1.0
# The library read before the sources that include it, which stay as they are:
#   tapeless::pch       tapeless.hpp is read once for each target that links it
#   tapeless::compiled  it is read once for all targets, and what depends on no model is compiled then, too. All of them
#                       have the same flags, those of the folder that includes this file
# A file of the installed package, too.

# g++ 12 finds fault with its own intrinsics: cmake/intrinsics.cmake
set(tapeless_old "$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>")
set(tapeless_intrinsics "$<${tapeless_old}:-Wno-uninitialized;-Wno-maybe-uninitialized>")

if(NOT TARGET tapeless::pch)
  add_library(tapeless::pch INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tapeless::pch INTERFACE tapeless::tapeless)
  target_precompile_headers(tapeless::pch INTERFACE <tapeless/tapeless.hpp>)
  target_compile_options(tapeless::pch INTERFACE "${tapeless_intrinsics}")
endif()

get_property(tapeless_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(CMAKE_CXX_COMPILER_ID MATCHES "^(Clang|GNU)$"
   AND NOT tapeless_configurations
   AND NOT TARGET tapeless::compiled)
  set(tapeless_folder "${PROJECT_BINARY_DIR}/tapeless_compiled")
  # What compiled.hpp says is compiled elsewhere is compiled where the same lines stand without `extern`.
  set(tapeless_list "${TAPELESS_INCLUDE_FOLDER}/tapeless/compiled.hpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${tapeless_list}")
  file(READ "${tapeless_list}" tapeless_definitions)
  string(REPLACE "extern template" "template" tapeless_definitions "${tapeless_definitions}")
  string(REPLACE "#pragma once" "" tapeless_definitions "${tapeless_definitions}")
  file(CONFIGURE OUTPUT "${tapeless_folder}/definitions.cpp" CONTENT "${tapeless_definitions}" @ONLY)
  file(CONFIGURE OUTPUT "${tapeless_folder}/tapeless.hpp" CONTENT "#include <tapeless/compiled.hpp>\n")
  # in programs and in shared objects alike: a precompiled header is of one kind
  set(tapeless_anywhere -fPIC)

  # A header as a source: its object is the precompiled header.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(tapeless_header "${tapeless_folder}/definitions.cpp")
    set(tapeless_codegen -fpch-codegen -fpch-instantiate-templates)
    set(tapeless_precompiled "${tapeless_folder}/tapeless.pch")
  else()
    set(tapeless_header "${tapeless_folder}/header.cpp")
    file(CONFIGURE OUTPUT "${tapeless_header}" CONTENT "#include <tapeless/compiled.hpp>\n")
    set(tapeless_codegen)
    list(APPEND tapeless_anywhere -fno-semantic-interposition) # as clang has it: functions may be inlined
    set(tapeless_precompiled "${tapeless_folder}/tapeless.hpp.gch")
  endif()
  add_library(tapeless_header OBJECT EXCLUDE_FROM_ALL "${tapeless_header}")
  target_compile_options(tapeless_header PRIVATE -xc++-header ${tapeless_codegen} ${tapeless_anywhere})
  target_link_libraries(tapeless_header PRIVATE tapeless::tapeless)
  add_custom_command(
    OUTPUT "${tapeless_precompiled}"
    COMMAND "${CMAKE_COMMAND}" -E copy $<TARGET_OBJECTS:tapeless_header> "${tapeless_precompiled}"
    DEPENDS $<TARGET_OBJECTS:tapeless_header>)

  # clang compiles that one as a source, by a name that tells it what it is, to the library; g++ the list's definitions.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set_source_files_properties("${tapeless_precompiled}" PROPERTIES LANGUAGE CXX)
    add_library(tapeless_compiled STATIC EXCLUDE_FROM_ALL "${tapeless_precompiled}")
    target_compile_options(
      tapeless_compiled
      PRIVATE -xnone -Wno-unused-command-line-argument
      INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include-pch ${tapeless_precompiled}>")
  else()
    add_library(tapeless_compiled STATIC EXCLUDE_FROM_ALL "${tapeless_folder}/definitions.cpp"
                                                          "${tapeless_precompiled}")
    target_compile_options(
      tapeless_compiled
      PUBLIC "${tapeless_intrinsics}"
      INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${tapeless_folder}/tapeless.hpp>" -Werror=invalid-pch
                -fpch-deps) # a changed header makes sources compile anew
  endif()
  add_library(tapeless::compiled ALIAS tapeless_compiled)
  add_dependencies(tapeless_compiled tapeless_header) # make wants the object to be there
  target_link_libraries(tapeless_compiled PUBLIC tapeless::tapeless)
  target_compile_options(tapeless_compiled PUBLIC ${tapeless_anywhere})
  # of all that is there a program needs a part
  target_link_options(tapeless_compiled INTERFACE "$<$<PLATFORM_ID:Linux>:LINKER:--gc-sections>")
endif()
