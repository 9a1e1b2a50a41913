// SPDX-License-Identifier: BSL-1.0
// The GPU that a trainer runs on: found at the start, or one sentence that says why there is none.
#pragma once

#include <tapeless/run/cuda/status.hpp>

namespace tapeless::cuda_kernels {

/// The number of a device that can be used. Throws an error that says what is missing otherwise.
inline int usable_device(int wanted) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) cudaGetLastError();  // nobody else is to find it
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (driver == 0) throw_error("cuda: this machine has no NVIDIA driver; install one, or use tl::cpu");
    throw_error({"cuda: the NVIDIA driver is too old: it supports CUDA ", driver / 1000, ".",
                 driver % 1000 / 10, ", and this program was built with CUDA ", runtime / 1000, ".",
                 runtime % 1000 / 10, "; install a newer driver, or use tl::cpu"});
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
    throw_error("cuda: this machine has no NVIDIA GPU that can be used; use tl::cpu, or check nvidia-smi");
  check(status, "cudaGetDeviceCount");
  if (wanted < 0 || wanted >= count)
    throw_error({"cuda: device ", wanted, " was asked for, but there ", count == 1 ? "is 1 device" : "are ",
                 count == 1 ? "" : std::to_string(count) + " devices", ", counted from 0"});
  return wanted;
}

/// As long as it lives, calls go to this device; then to the one before.
class on_device {
 public:
  explicit on_device(int device) {
    check(cudaGetDevice(&before_), "cudaGetDevice");
    if (device != before_)
      check(cudaSetDevice(device), "cudaSetDevice");
    else
      before_ = -1;
  }
  ~on_device() {
    if (before_ >= 0) cudaSetDevice(before_);
  }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;

 private:
  int before_ = -1;
};

}  // namespace tapeless::cuda_kernels
