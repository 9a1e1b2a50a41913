# SPDX-License-Identifier: BSL-1.0
# The installed package: find_package(tapeless) and tapeless::tapeless. Its component is "tapeless".
include(CMakePackageConfigHelpers)

set(tapeless_package "${CMAKE_INSTALL_DATADIR}/cmake/tapeless")
if(TARGET tapeless_zlib)
  set(tapeless_package "${CMAKE_INSTALL_LIBDIR}/cmake/tapeless") # with a library: no longer for any machine
endif()

list(TRANSFORM TAPELESS_FOUND REPLACE "(.+)" "find_dependency(\\1)" OUTPUT_VARIABLE TAPELESS_DEPENDENCIES)
list(JOIN TAPELESS_DEPENDENCIES "\n" TAPELESS_DEPENDENCIES)
configure_package_config_file(cmake/tapelessConfig.cmake.in "${PROJECT_BINARY_DIR}/tapelessConfig.cmake"
                              INSTALL_DESTINATION "${tapeless_package}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR)

set(tapeless_any_machine ARCH_INDEPENDENT)
if(TARGET tapeless_zlib)
  set(tapeless_any_machine)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tapelessConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion ${tapeless_any_machine})

install(TARGETS tapeless EXPORT tapelessTargets)
install(
  EXPORT tapelessTargets
  NAMESPACE tapeless::
  DESTINATION "${tapeless_package}"
  COMPONENT tapeless)
install(
  FILES "${PROJECT_BINARY_DIR}/tapelessConfig.cmake" "${PROJECT_BINARY_DIR}/tapelessConfigVersion.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/gpu.cmake" "${PROJECT_SOURCE_DIR}/cmake/mpi.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/nccl.cmake" "${PROJECT_SOURCE_DIR}/cmake/precompiled.cmake"
  DESTINATION "${tapeless_package}"
  COMPONENT tapeless)
install(
  DIRECTORY include/tapeless
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT tapeless)
install(
  FILES LICENSE
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT tapeless)
