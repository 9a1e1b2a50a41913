// SPDX-License-Identifier: BSL-1.0
// Double-buffered pinned memory for a step's inputs: the device copies them on a stream of their own, while
// the step before still runs.
#pragma once

#include <cstring>

#include <tapeless/run/cuda/resources.hpp>

namespace tapeless::cuda_kernels {

/// One step's inputs and hyperparameters: here, and on the device. Steps take turns with two of them.
class staging_slot {
 public:
  staging_slot() = default;
  explicit staging_slot(std::int64_t bytes)
      : here_(pinned_memory(bytes)),
        there_(device_memory(bytes, "the inputs of a step")),
        copied_(make_event()),
        used_(make_event()) {}

  /// The copies here may be written to: the device has read the last ones.
  std::byte* begin() {
    check(cudaEventSynchronize(copied_.get()), "cudaEventSynchronize");
    return static_cast<std::byte*>(here_.get());
  }
  /// What follows is copied as soon as the last step that reads the copies there is done.
  void begin_sending(const resources& shared) {
    check(cudaStreamWaitEvent(shared.copies(), used_.get()), "cudaStreamWaitEvent");
  }
  /// Sends what was written here at this offset.
  void send(std::int64_t offset, std::int64_t bytes, const resources& shared) {
    copy(offset, static_cast<const std::byte*>(here_.get()) + offset, bytes, cudaMemcpyHostToDevice, shared);
  }
  /// Takes over what is on the device already.
  void take(std::int64_t offset, const std::byte* from, std::int64_t bytes, const resources& shared) {
    copy(offset, from, bytes, cudaMemcpyDeviceToDevice, shared);
  }
  /// The next step waits for all of it.
  void end_sending(const resources& shared) {
    check(cudaEventRecord(copied_.get(), shared.copies()), "cudaEventRecord");
    check(cudaStreamWaitEvent(shared.steps(), copied_.get()), "cudaStreamWaitEvent");
  }
  /// The step that reads the copy there has been started.
  void end(const resources& shared) {
    check(cudaEventRecord(used_.get(), shared.steps()), "cudaEventRecord");
  }

  std::byte* there() const { return static_cast<std::byte*>(there_.get()); }

 private:
  pinned_pointer here_;
  device_pointer there_;
  event copied_, used_;

  void copy(std::int64_t offset, const std::byte* from, std::int64_t bytes, cudaMemcpyKind kind,
            const resources& shared) {
    if (bytes > 0)
      check(cudaMemcpyAsync(there() + offset, from, static_cast<std::size_t>(bytes), kind, shared.copies()),
            "cudaMemcpyAsync");
  }
};

}  // namespace tapeless::cuda_kernels
