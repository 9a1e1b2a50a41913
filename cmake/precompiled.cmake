# SPDX-License-Identifier: BSL-1.0
# The library read before the sources that include it, which stay as they are:
#   tapeless::pch       tapeless.hpp is read once for each target that links it
#   tapeless::compiled  with clang: it is read once for all targets, and what depends on no model is compiled then, too.
#                       All of them have the same flags, those of the folder that includes this file
# A file of the installed package, too.

if(NOT TARGET tapeless::pch)
  add_library(tapeless::pch INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tapeless::pch INTERFACE tapeless::tapeless)
  target_precompile_headers(tapeless::pch INTERFACE <tapeless/tapeless.hpp>)
  # g++ 12 finds fault with its own intrinsics: cmake/intrinsics.cmake
  set(tapeless_old "$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>")
  target_compile_options(tapeless::pch INTERFACE "$<${tapeless_old}:-Wno-uninitialized;-Wno-maybe-uninitialized>")
endif()

get_property(tapeless_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
   AND NOT tapeless_configurations
   AND NOT TARGET tapeless::compiled)
  set(tapeless_folder "${PROJECT_BINARY_DIR}/tapeless_compiled")
  file(CONFIGURE OUTPUT "${tapeless_folder}/header.cpp" CONTENT "#include <tapeless/tapeless.hpp>\n")
  # in programs and in shared objects alike: a precompiled header is of one kind
  set(tapeless_anywhere -fPIC)

  # A header as a source: its object is the precompiled header.
  add_library(tapeless_header OBJECT EXCLUDE_FROM_ALL "${tapeless_folder}/header.cpp")
  target_compile_options(tapeless_header PRIVATE -xc++-header -fpch-codegen -fpch-instantiate-templates
                                                 ${tapeless_anywhere})
  target_link_libraries(tapeless_header PRIVATE tapeless::tapeless)

  # That one as a source, by a name that tells the compiler what it is: its object is the library.
  set(tapeless_precompiled "${tapeless_folder}/tapeless.pch")
  add_custom_command(
    OUTPUT "${tapeless_precompiled}"
    COMMAND "${CMAKE_COMMAND}" -E copy $<TARGET_OBJECTS:tapeless_header> "${tapeless_precompiled}"
    DEPENDS $<TARGET_OBJECTS:tapeless_header>)
  set_source_files_properties("${tapeless_precompiled}" PROPERTIES LANGUAGE CXX)
  add_library(tapeless_compiled STATIC EXCLUDE_FROM_ALL "${tapeless_precompiled}")
  add_library(tapeless::compiled ALIAS tapeless_compiled)
  add_dependencies(tapeless_compiled tapeless_header) # make wants the object to be there
  target_link_libraries(tapeless_compiled PUBLIC tapeless::tapeless)
  target_compile_options(
    tapeless_compiled
    PRIVATE -xnone ${tapeless_anywhere} -Wno-unused-command-line-argument
    INTERFACE "SHELL:-include-pch ${tapeless_precompiled}" ${tapeless_anywhere})
  # of all that is there a program needs a part
  target_link_options(tapeless_compiled INTERFACE "$<$<PLATFORM_ID:Linux>:LINKER:--gc-sections>")
endif()
