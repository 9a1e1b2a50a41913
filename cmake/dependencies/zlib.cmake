# SPDX-License-Identifier: BSL-1.0
# zlib: data files that end in .gz. Sets TAPELESS_ZLIB.

if(NOT TARGET ZLIB::ZLIB)
  tapeless_find(ZLIB)
endif()

if(TARGET ZLIB::ZLIB)
  set(TAPELESS_ZLIB ZLIB::ZLIB)
  list(APPEND TAPELESS_FOUND ZLIB)
  return()
endif()

FetchContent_Declare(
  tapeless_zlib
  URL https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
  URL_HASH SHA256=9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23
  SOURCE_SUBDIR only-the-sources) # its build would install itself and rename one of its files
FetchContent_MakeAvailable(tapeless_zlib)

enable_language(C)
file(GLOB tapeless_zlib_sources "${tapeless_zlib_SOURCE_DIR}/*.c")
add_library(tapeless_zlib STATIC ${tapeless_zlib_sources})
set_target_properties(tapeless_zlib PROPERTIES EXPORT_NAME zlib POSITION_INDEPENDENT_CODE ON)
target_compile_definitions(tapeless_zlib PRIVATE $<$<BOOL:${UNIX}>:HAVE_UNISTD_H>)
target_include_directories(
  tapeless_zlib SYSTEM PUBLIC "$<BUILD_INTERFACE:${tapeless_zlib_SOURCE_DIR}>"
                              "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tapeless-vendored/zlib>")
if(TAPELESS_INSTALL)
  install(
    TARGETS tapeless_zlib
    EXPORT tapelessTargets
    ARCHIVE COMPONENT tapeless)
  install(
    FILES "${tapeless_zlib_SOURCE_DIR}/zlib.h" "${tapeless_zlib_SOURCE_DIR}/zconf.h"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tapeless-vendored/zlib"
    COMPONENT tapeless)
endif()
set(TAPELESS_ZLIB tapeless_zlib)
