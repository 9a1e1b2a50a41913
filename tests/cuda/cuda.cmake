# SPDX-License-Identifier: BSL-1.0
# The GPU policy, compiled and linked by nvcc for sm_90, so that it needs no GPU: a transformer, all families of
# kernels with an operation of the user's own, NCCL, and a project of another's. The GPU's own checks, benchmarks/gpu, compile all
# complete user programs.

find_program(TAPELESS_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" PATHS /usr/local/cuda/bin)
mark_as_advanced(TAPELESS_NVCC)
if(NOT TAPELESS_NVCC)
  set(sentence "SKIPPED: there is no nvcc")
  message(NOTICE "Tests of what nvcc compiles are ${sentence}")
  tapeless_add_test(cuda "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(cuda LABELS cuda SKIP_REGULAR_EXPRESSION SKIPPED)
  return()
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT TAPELESS_TEST_VALUES)
  return() # once is enough
endif()

if(TAPELESS_CUDNN_INCLUDE AND TAPELESS_CUDNN_LIBRARY)
  set(TAPELESS_CUDNN_FLAGS -DTAPELESS_HAS_CUDNN "-I${TAPELESS_CUDNN_INCLUDE}"
                           -Xlinker "--no-as-needed,${TAPELESS_CUDNN_LIBRARY}") # by itself it would be a source
else()
  message(NOTICE "The GPU policy is compiled without cuDNN: it is not here")
endif()

set(TAPELESS_CUFFT_FLAGS) # only what has Fourier transforms is to need it
if(TARGET CUDA::cufft)
  set(TAPELESS_CUFFT_FLAGS -lcufft)
endif()

# Compiles a source as CUDA and links it; what follows are more options.
function(tapeless_cuda_program test source)
  if(NOT EXISTS "${source}")
    return()
  endif()
  tapeless_add_test(
    cuda.${test}
    "${TAPELESS_NVCC}"
    "--compiler-bindir=${CMAKE_CXX_COMPILER}"
    --options-file
    "${TAPELESS_CUDA_FLAGS}"
    -arch=sm_90
    -O0
    -Xptxas=-O0
    --expt-relaxed-constexpr
    -diag-suppress=20012
    -Xcudafe
    --max_cost_constexpr_call=2000000000
    -Xcicc
    --max_cost_constexpr_call=2000000000
    -Xcompiler
    -fconstexpr-ops-limit=2000000000,-fconstexpr-loop-limit=100000000,-fconstexpr-depth=4096,-ftemplate-depth=4096
    -Xcompiler
    --param=ggc-min-heapsize=3000000 # as in tests/CMakeLists.txt
    ${ARGN}
    -x
    cu
    "${source}"
    -o
    program
    ${TAPELESS_CUDNN_FLAGS}
    -lcublasLt
    -lz)
  tapeless_test_properties(cuda.${test} LABELS cuda COST 100 FAIL_REGULAR_EXPRESSION "include/tapeless/[^\n]*warning")
endfunction()

# The transformer, and where NCCL is there what is linked with it behind it: the headers take nvcc 20 seconds, whatever
# uses them. Each program stands in a namespace; the headers of both stand before that.
set(headers tapeless/tapeless.hpp cstdio)
set(sources 06_transformer)
set(nccl_flags)
tapeless_on_default_policy(program "${TAPELESS_API_DIR}/06_transformer.cpp")
set(source_06_transformer "${program}")
if(TARGET tapeless::nccl)
  list(PREPEND headers tapeless/nccl.hpp)
  list(APPEND headers algorithm cmath memory type_traits vector cluster/difference.hpp cluster/thread_group.hpp)
  list(APPEND sources nccl)
  set(source_nccl "${CMAKE_CURRENT_SOURCE_DIR}/cuda/nccl.cu")
  set(nccl_flags "-I${CMAKE_CURRENT_SOURCE_DIR}" -isystem "${TAPELESS_NCCL_INCLUDE}" -Xlinker
                 "--no-as-needed,${TAPELESS_NCCL_LIBRARY}")
else()
  set(sentence "SKIPPED: NCCL is not found; -DNCCL_ROOT=FOLDER names its folder")
  message(NOTICE "The test of what is linked with NCCL is ${sentence}")
  tapeless_add_test(cuda.nccl "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(cuda.nccl LABELS cuda SKIP_REGULAR_EXPRESSION SKIPPED)
endif()
list(JOIN sources "_and_" test)
set(text "// SPDX-License-Identifier: BSL-1.0\n")
foreach(header IN LISTS headers)
  string(APPEND text "#include <${header}>\n")
endforeach()
foreach(source IN LISTS sources)
  string(APPEND text "namespace program_${source} {\n#include \"${source_${source}}\"\n}\n")
endforeach()
set(source "${CMAKE_CURRENT_BINARY_DIR}/cuda/${test}.cu")
file(CONFIGURE OUTPUT "${source}" CONTENT "${text}int main() {}\n" @ONLY)
tapeless_cuda_program(${test} "${source}" -DTAPELESS_DEFAULT_POLICY=cuda ${nccl_flags})
tapeless_cuda_program(kernels "${CMAKE_CURRENT_SOURCE_DIR}/cuda/kernels.cu" ${TAPELESS_CUFFT_FLAGS})
tapeless_consumer_test(
  cuda "${CMAKE_CURRENT_SOURCE_DIR}/cuda/consumer" "-DTAPELESS_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
  "-DCMAKE_CUDA_COMPILER=${TAPELESS_NVCC}" "-DCMAKE_CUDA_HOST_COMPILER=${CMAKE_CXX_COMPILER}"
  -DCMAKE_CUDA_ARCHITECTURES=90 "-DCMAKE_CUDA_FLAGS_$<UPPER_CASE:$<CONFIG>>=-O0 -Xptxas=-O0")
