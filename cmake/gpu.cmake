# SPDX-License-Identifier: BSL-1.0
# What else a program links for the policies over Thrust, where the CUDA Toolkit is found:
#   tapeless::thrust_host  the GPU's kernels on the CPU: Thrust's headers, any compiler
#   tapeless::cuda         the GPU: sources are compiled as CUDA, by nvcc. With cuDNN 9, where it is found
#                          (CUDNN_ROOT says where), convolutions are run by it
# A file of the installed package too, since the toolkit belongs to the machine.

find_package(CUDAToolkit 12.6 QUIET)
find_path(
  TAPELESS_THRUST_INCLUDE thrust/version.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} "$ENV{CUDA_HOME}/include" /usr/local/cuda/include
  PATH_SUFFIXES cccl
  DOC "The folder of Thrust's and CUB's headers")
mark_as_advanced(TAPELESS_THRUST_INCLUDE)

if(TAPELESS_THRUST_INCLUDE AND NOT TARGET tapeless::thrust_host)
  add_library(tapeless::thrust_host INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tapeless::thrust_host INTERFACE tapeless::tapeless)
  # nvcc brings its own; g++ and clang are told of nothing but them
  target_include_directories(tapeless::thrust_host SYSTEM
                             INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${TAPELESS_THRUST_INCLUDE}>")
endif()

find_path(
  TAPELESS_CUDNN_INCLUDE cudnn_graph.h
  HINTS ${CUDNN_ROOT} ENV CUDNN_ROOT ${CUDAToolkit_INCLUDE_DIRS}
  PATH_SUFFIXES include
  DOC "The folder of cuDNN's headers, version 9 or later")
find_library(
  TAPELESS_CUDNN_LIBRARY
  NAMES cudnn libcudnn.so.9 NAMES_PER_DIR
  HINTS ${CUDNN_ROOT} ENV CUDNN_ROOT ${CUDAToolkit_LIBRARY_DIR}
  PATH_SUFFIXES lib lib64
  DOC "cuDNN, version 9 or later")
mark_as_advanced(TAPELESS_CUDNN_INCLUDE TAPELESS_CUDNN_LIBRARY)

if(TARGET CUDA::cublasLt AND NOT TARGET tapeless::cuda)
  add_library(tapeless::cuda INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tapeless::cuda INTERFACE tapeless::tapeless CUDA::cublasLt)
  if(TARGET CUDA::cufft) # only programs with Fourier transforms name its functions
    target_link_libraries(tapeless::cuda INTERFACE CUDA::cufft)
  endif()
  # CMake 3.25 does not know that nvcc 13 has C++20. Functions that kernels call are constexpr; Eigen's
  # annotations are none of ours.
  set(tapeless_nvcc -std=c++20 --expt-relaxed-constexpr -diag-suppress=20012)
  target_compile_options(tapeless::cuda INTERFACE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${tapeless_nvcc}>")
  if(TAPELESS_CUDNN_INCLUDE AND TAPELESS_CUDNN_LIBRARY)
    target_compile_definitions(tapeless::cuda INTERFACE TAPELESS_HAS_CUDNN)
    target_include_directories(tapeless::cuda SYSTEM INTERFACE "${TAPELESS_CUDNN_INCLUDE}")
    target_link_libraries(tapeless::cuda INTERFACE "${TAPELESS_CUDNN_LIBRARY}")
  endif()
endif()
