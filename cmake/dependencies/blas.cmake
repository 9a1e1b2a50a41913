# SPDX-License-Identifier: BSL-1.0
# A BLAS for the matrix products of tl::cpu, where TAPELESS_BLAS names one. Sets TAPELESS_BLA_VENDOR, as CMake calls it.
set(TAPELESS_BLAS "" CACHE STRING "Whose matrix products: OpenBLAS, BLIS, MKL or Accelerate; empty for those of tapeless")
set_property(CACHE TAPELESS_BLAS PROPERTY STRINGS "" OpenBLAS BLIS MKL Accelerate)
set(TAPELESS_BLA_VENDOR "")
if(TAPELESS_BLAS STREQUAL "")
  return()
endif()

set(vendor_OpenBLAS OpenBLAS)
set(vendor_BLIS FLAME)
set(vendor_MKL Intel10_64lp_seq)
set(vendor_Accelerate Apple)
if(NOT DEFINED vendor_${TAPELESS_BLAS})
  message(FATAL_ERROR "TAPELESS_BLAS is OpenBLAS, BLIS, MKL, Accelerate or empty, not \"${TAPELESS_BLAS}\"")
endif()
set(TAPELESS_BLA_VENDOR "${vendor_${TAPELESS_BLAS}}")
set(BLA_VENDOR "${TAPELESS_BLA_VENDOR}")
find_package(BLAS QUIET GLOBAL)
if(NOT TARGET BLAS::BLAS)
  message(FATAL_ERROR "TAPELESS_BLAS is ${TAPELESS_BLAS}, which was not found on this machine (Debian: "
                      "libopenblas-dev, libblis-dev); without the option products are those of tapeless")
endif()
list(APPEND TAPELESS_FOUND BLAS)
