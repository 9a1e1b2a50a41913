// SPDX-License-Identifier: BSL-1.0
#include "models.hpp"

using tapeless::cuda_kernels::on_device;
using tapeless::cuda_kernels::usable_device;

namespace {

auto make_trainer(int device) {
  return
      [device] { tl::trainer net{test::lookup, tl::sgd({.learning_rate = 1}), tl::cuda{.device = device}}; };
}

}  // namespace

TEST_CASE("without a device there is an error when a trainer is made") {
  test::gpu gpu({.devices = 0});
  CHECK_THROWS_WITH(
      make_trainer(0)(),
      "tapeless: cuda: this machine has no NVIDIA GPU that can be used; use tl::cpu, or check nvidia-smi");
  CHECK(cudaGetLastError() == cudaSuccess);  // it was not somebody else's
}

TEST_CASE("a driver that is too old is an error with both versions, and so is none") {
  {
    test::gpu gpu({.driver = 12040});
    CHECK_THROWS_WITH(make_trainer(0)(),
                      "tapeless: cuda: the NVIDIA driver is too old: it supports CUDA 12.4, and this program "
                      "was built with CUDA 13.0; install a newer driver, or use tl::cpu");
  }
  test::gpu gpu({.driver = 0});
  CHECK_THROWS_WITH(make_trainer(0)(),
                    "tapeless: cuda: this machine has no NVIDIA driver; install one, or use tl::cpu");
}

TEST_CASE("a number that no device has is an error") {
  {
    test::gpu gpu;
    CHECK(usable_device(0) == 0);
    CHECK_THROWS_WITH(make_trainer(1)(),
                      "tapeless: cuda: device 1 was asked for, but there is 1 device, counted from 0");
  }
  test::gpu gpu({.devices = 3});
  CHECK(usable_device(2) == 2);
  CHECK_THROWS_WITH(make_trainer(3)(),
                    "tapeless: cuda: device 3 was asked for, but there are 3 devices, counted from 0");
  CHECK_THROWS_WITH(usable_device(-1), test::contains("device -1 was asked for"));
}

TEST_CASE("other failures on the way to a device are errors, too") {
  test::gpu gpu;
  gpu.fail("cudaGetDeviceCount", 1, cudaErrorLaunchFailure);
  CHECK_THROWS_WITH(usable_device(0), test::contains("cudaGetDeviceCount failed"));
}

TEST_CASE("calls go to a device for a while") {
  test::gpu gpu({.devices = 3});
  {
    const on_device second(1);
    CHECK(gpu.device == 1);
    {
      const on_device third(2), again(2);
      CHECK(gpu.device == 2);
    }
    CHECK(gpu.device == 1);
  }
  CHECK(gpu.device == 0);
  CHECK_THROWS(on_device(7));
  CHECK(gpu.device == 0);
}
