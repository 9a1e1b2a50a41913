# SPDX-License-Identifier: BSL-1.0
# What tl::cuda does, on devices that are not there: CUDA's headers, and the header that starts kernels, are those
# of the folder fake.

function(tapeless_cuda_target target kind)
  target_include_directories(${target} BEFORE PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/run/cuda/fake")
  target_compile_definitions(${target} PRIVATE THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP TAPELESS_HAS_CUDNN)
  tapeless_test_options(${target} ${kind})
endfunction()

# Adds test run.NAME of these sources.
function(tapeless_cuda_test name kind)
  set(target test_run_${name})
  add_executable(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY
                                                                 "${CMAKE_CURRENT_BINARY_DIR}/run")
  target_link_libraries(${target} PRIVATE tapeless_test_main)
  tapeless_cuda_target(${target} ${kind})
  target_precompile_headers(
    ${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/catch.hpp" "${CMAKE_CURRENT_SOURCE_DIR}/program.hpp"
    <tapeless/tapeless.hpp> <tapeless/run/thrust_host/thrust_host.hpp>)
  tapeless_add_test(run.${name} ${target})
  tapeless_test_properties(run.${name} LABELS unit COST 20 FAIL_REGULAR_EXPRESSION "No tests ran")
endfunction()

# Where the second compiler has these tests, the first one compiles those of calls and of the stand-ins themselves, as
# one source: for each alone it would read the same headers. It does not run them.
if(NOT TAPELESS_TEST_MEMORY)
  set(sources attention cublas_product device_tensor failures fake fake_operation_graphs handles host_copies resources
              staging status)
  list(TRANSFORM sources REPLACE ".+" "${CMAKE_CURRENT_LIST_DIR}/\\0.cpp")
  add_library(test_run_cuda_compiles OBJECT ${sources})
  set_target_properties(test_run_cuda_compiles PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  tapeless_cuda_target(test_run_cuda_compiles plain)
  return()
endif()

# Memory, streams and failures are for sanitizers, one kind of library calls with them; the other calls' numbers are not.
file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cpp")
set(numbers "/(attention|attention_models|convolutions|cufft_transforms|epilogues|poolings|product_sums)[.]cpp$")
set(values ${sources})
list(FILTER sources EXCLUDE REGEX "${numbers}")
list(FILTER values INCLUDE REGEX "${numbers}")
tapeless_cuda_test(cuda 0 ${sources})
# What trains whole networks is not checked for alignment, as in train/ and cluster/.
set(training eager_ranks nccl sharded_states trainers)
list(TRANSFORM training REPLACE ".+" "${CMAKE_CURRENT_LIST_DIR}/\\0.cpp")
if(TAPELESS_SANITIZE)
  set_source_files_properties(${training} PROPERTIES COMPILE_OPTIONS -fno-sanitize=alignment)
endif()
tapeless_cuda_test(cuda_values plain ${values})
