# SPDX-License-Identifier: BSL-1.0
# Eigen 3.4 or later: the matrix products and vectorised math of tl::cpu. Sets TAPELESS_EIGEN.

if(NOT TARGET Eigen3::Eigen)
  tapeless_find(Eigen3 3.4)
endif()
if(NOT TARGET Eigen3::Eigen)
  tapeless_find(Eigen3 5) # the version after 3.4 and its successors
endif()

if(TARGET Eigen3::Eigen)
  set(TAPELESS_EIGEN Eigen3::Eigen)
  list(APPEND TAPELESS_FOUND Eigen3)
else()
  FetchContent_Declare(
    tapeless_eigen
    URL https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.bz2
    URL_HASH SHA256=b4c198460eba6f28d34894e3a5710998818515104d6e74e5cc331ce31e46e626
    SOURCE_SUBDIR only-the-headers)
  FetchContent_MakeAvailable(tapeless_eigen)
  tapeless_vendor(eigen "${tapeless_eigen_SOURCE_DIR}" Eigen unsupported/Eigen)
  set(TAPELESS_EIGEN tapeless_eigen)
endif()
