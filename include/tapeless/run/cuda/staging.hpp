// SPDX-License-Identifier: BSL-1.0
// The way of a step's inputs to the GPU: through memory here that the device copies from by itself, on a
// stream of its own, while the step before still runs.
#pragma once

#include <cstring>
#include <span>

#include <tapeless/run/cuda/resources.hpp>

namespace tapeless::cuda_kernels {

/// One step's inputs and hyperparameters: here, and on the device. Steps take turns with two of them.
class staging_slot {
 public:
  staging_slot() = default;
  explicit staging_slot(std::int64_t bytes)
      : bytes_(bytes),
        here_(pinned_memory(bytes)),
        there_(device_memory(bytes, "the inputs of a step")),
        copied_(make_event()),
        used_(make_event()) {}

  /// The copies here may be written to: the device has read the last ones.
  std::byte* begin() {
    check(cudaEventSynchronize(copied_.get()), "cudaEventSynchronize");
    return static_cast<std::byte*>(here_.get());
  }
  /// Sends what was written here, as soon as the last step that reads the copy there is done; the next step
  /// waits for it.
  void send(const resources& shared) {
    check(cudaStreamWaitEvent(shared.copies(), used_.get()), "cudaStreamWaitEvent");
    if (bytes_ > 0)
      check(cudaMemcpyAsync(there_.get(), here_.get(), static_cast<std::size_t>(bytes_),
                            cudaMemcpyHostToDevice, shared.copies()),
            "cudaMemcpyAsync");
    check(cudaEventRecord(copied_.get(), shared.copies()), "cudaEventRecord");
    check(cudaStreamWaitEvent(shared.steps(), copied_.get()), "cudaStreamWaitEvent");
  }
  /// The step that reads the copy there has been started.
  void end(const resources& shared) {
    check(cudaEventRecord(used_.get(), shared.steps()), "cudaEventRecord");
  }

  std::byte* there() const { return static_cast<std::byte*>(there_.get()); }

 private:
  std::int64_t bytes_ = 0;
  pinned_pointer here_;
  device_pointer there_;
  event copied_, used_;
};

}  // namespace tapeless::cuda_kernels
