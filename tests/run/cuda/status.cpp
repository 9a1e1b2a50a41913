// SPDX-License-Identifier: BSL-1.0
#include "gpu.hpp"

using tapeless::cuda_kernels::check;

TEST_CASE("a call that fails is an error that names the call and what was going on") {
  test::gpu gpu;
  CHECK_NOTHROW(check(cudaSuccess, "cudaX"));
  CHECK_NOTHROW(check(CUBLAS_STATUS_SUCCESS, "cublasX"));
  CHECK_THROWS_WITH(check(cudaErrorMemoryAllocation, "cudaX"),
                    "tapeless: cuda: cudaX failed: out of memory (cudaErrorMemoryAllocation)");
  CHECK_THROWS_WITH(
      check(cudaErrorMemoryAllocation, "cudaX", {"add, relu", "net"}),
      "tapeless: cuda: cudaX failed: out of memory (cudaErrorMemoryAllocation), for the operations add, "
      "relu of the model net");
  CHECK_THROWS_WITH(
      check(cudaErrorMemoryAllocation, "cudaX", {{}, "net"}),
      "tapeless: cuda: cudaX failed: out of memory (cudaErrorMemoryAllocation), for the model net");
  CHECK_THROWS_WITH(check(CUBLAS_STATUS_EXECUTION_FAILED, "cublasX", {"matmul", "net"}),
                    "tapeless: cuda: cublasX failed: the GPU program failed to execute "
                    "(CUBLAS_STATUS_EXECUTION_FAILED), for the operations matmul of the model net");
}

TEST_CASE("what has been reported is not reported again") {
  test::gpu gpu;
  gpu.fail("cudaSetDevice", 1, cudaErrorInvalidDevice);
  CHECK_THROWS(check(cudaSetDevice(0), "cudaSetDevice"));
  CHECK(cudaGetLastError() == cudaSuccess);
}
