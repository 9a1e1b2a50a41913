# SPDX-License-Identifier: BSL-1.0
# Eigen 3.4 or later: the vectors of tl::cpu, and products of a matrix with a vector. Sets TAPELESS_EIGEN_TARGET.
#
# Both versions will do. 3.4 comes first where nothing else is asked for, since Debian has it.
set(TAPELESS_EIGEN "" CACHE STRING "Eigen's version: 3.4 or 5, found or fetched; empty for what is found, else 3.4")
set_property(CACHE TAPELESS_EIGEN PROPERTY STRINGS "" 3.4 5)

if(NOT TARGET Eigen3::Eigen)
  if(TAPELESS_EIGEN STREQUAL "")
    tapeless_find(Eigen3 3.4)
    if(NOT TARGET Eigen3::Eigen)
      tapeless_find(Eigen3 5) # the version after 3.4 and its successors
    endif()
  elseif(TAPELESS_EIGEN MATCHES "^(3\\.4|5)$")
    tapeless_find(Eigen3 ${TAPELESS_EIGEN})
  else()
    message(FATAL_ERROR "TAPELESS_EIGEN is 3.4, 5 or empty, not \"${TAPELESS_EIGEN}\"")
  endif()
endif()

if(TARGET Eigen3::Eigen)
  set(TAPELESS_EIGEN_TARGET Eigen3::Eigen)
  list(APPEND TAPELESS_FOUND Eigen3)
else()
  if(TAPELESS_EIGEN STREQUAL "5")
    set(version 5.0.1)
    set(hash e9c326dc8c05cd1e044c71f30f1b2e34a6161a3b6ecf445d56b53ff1669e3dec)
  else()
    set(version 3.4.0)
    set(hash 8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72)
  endif()
  FetchContent_Declare(
    tapeless_eigen
    URL https://gitlab.com/libeigen/eigen/-/archive/${version}/eigen-${version}.tar.gz
    URL_HASH SHA256=${hash}
    SOURCE_SUBDIR only-the-headers)
  FetchContent_MakeAvailable(tapeless_eigen)
  tapeless_vendor(eigen "${tapeless_eigen_SOURCE_DIR}" Eigen unsupported/Eigen)
  set(TAPELESS_EIGEN_TARGET tapeless_eigen)
endif()
