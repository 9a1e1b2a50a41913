// SPDX-License-Identifier: BSL-1.0
#include "gpu.hpp"

using namespace tapeless::cuda_kernels;

TEST_CASE("handles have one owner, who gives them back") {
  test::gpu gpu;
  {
    stream s;
    CHECK(!s);
    s = make_stream();
    CHECK(static_cast<bool>(s));
    const cudaStream_t handle = s.get();
    stream other = std::move(s);
    CHECK(other.get() == handle);
    CHECK(gpu.calls("cudaStreamDestroy") == 0);
    other = make_stream();
    CHECK(gpu.calls("cudaStreamDestroy") == 1);
    const event e = make_event();
  }
  CHECK(gpu.calls("cudaStreamDestroy") == 2);
  CHECK(gpu.calls("cudaEventDestroy") == 1);
}

TEST_CASE("memory on a device is zero for whoever looks first") {
  test::gpu gpu(test::each_order());
  const stream s = make_stream();
  const device_pointer there = device_memory(8, "a test");
  const float one = 1;
  cudaMemcpyAsync(there.get(), &one, sizeof one, cudaMemcpyHostToDevice, s.get());
  cudaStreamSynchronize(nullptr);
  float both[2] = {-1, -1};
  cudaMemcpyAsync(both, there.get(), sizeof both, cudaMemcpyDeviceToHost, s.get());
  CHECK(both[0] == 1);
  CHECK(both[1] == 0);
}

TEST_CASE("no bytes are no memory") {
  test::gpu gpu;
  CHECK(!device_memory(0, "nothing"));
  CHECK(!pinned_memory(0));
  CHECK(gpu.calls("cudaMalloc") + gpu.calls("cudaMallocHost") == 0);
}

TEST_CASE("memory that is not there is an error with the figures") {
  test::gpu gpu({.memory = 1000});
  const device_pointer some = device_memory(300, "a test");
  CHECK_THROWS_WITH(
      device_memory(701, "a large thing"),
      "tapeless: cuda: out of memory: a large thing takes 701 bytes, but 700 of the device's 1000 are free");
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(static_cast<bool>(device_memory(700, "a test")));
}

TEST_CASE("other failures of memory are errors, and give back what there was") {
  test::gpu gpu;
  gpu.fail("cudaMalloc", 1, cudaErrorLaunchFailure);
  CHECK_THROWS_WITH(device_memory(8, "a test"),
                    test::contains("cudaMalloc failed: unspecified launch failure"));
  gpu.fail("cudaMalloc", 1, cudaErrorMemoryAllocation);
  gpu.fail("cudaMemGetInfo", 1, cudaErrorLaunchFailure);
  CHECK_THROWS_WITH(device_memory(8, "a test"), test::contains("cudaMalloc failed: out of memory"));
  gpu.fail("cudaMemset", 1, cudaErrorInvalidValue);
  CHECK_THROWS_WITH(device_memory(8, "a test"), test::contains("cudaMemset failed"));
  gpu.fail("cudaMallocHost", 1, cudaErrorMemoryAllocation);
  CHECK_THROWS_WITH(pinned_memory(8), test::contains("cudaMallocHost failed: out of memory"));
  gpu.fail("cudaStreamCreateWithFlags", 1, cudaErrorMemoryAllocation);
  CHECK_THROWS_WITH(make_stream(), test::contains("cudaStreamCreateWithFlags failed"));
  gpu.fail("cudaEventCreateWithFlags", 1, cudaErrorMemoryAllocation);
  CHECK_THROWS_WITH(make_event(), test::contains("cudaEventCreateWithFlags failed"));
}
