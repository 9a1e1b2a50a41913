# SPDX-License-Identifier: BSL-1.0
# What else a program links that includes <tapeless/nccl.hpp>, where NCCL is found beside the CUDA Toolkit (NCCL_ROOT
# says where):
#   tapeless::nccl  tapeless::cuda and NCCL
# A file of the installed package too, since NCCL belongs to the machine.

find_path(
  TAPELESS_NCCL_INCLUDE nccl.h
  HINTS ${NCCL_ROOT} ENV NCCL_ROOT ${CUDAToolkit_INCLUDE_DIRS}
  PATH_SUFFIXES include
  DOC "The folder of NCCL's header")
find_library(
  TAPELESS_NCCL_LIBRARY
  NAMES nccl libnccl.so.2 NAMES_PER_DIR
  HINTS ${NCCL_ROOT} ENV NCCL_ROOT ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}
  PATH_SUFFIXES lib lib64
  DOC "NCCL")
mark_as_advanced(TAPELESS_NCCL_INCLUDE TAPELESS_NCCL_LIBRARY)

if(TARGET tapeless::cuda AND TAPELESS_NCCL_INCLUDE AND TAPELESS_NCCL_LIBRARY AND NOT TARGET tapeless::nccl)
  add_library(tapeless::nccl INTERFACE IMPORTED GLOBAL)
  target_include_directories(tapeless::nccl SYSTEM INTERFACE "${TAPELESS_NCCL_INCLUDE}")
  target_link_libraries(tapeless::nccl INTERFACE tapeless::cuda "${TAPELESS_NCCL_LIBRARY}")
endif()
