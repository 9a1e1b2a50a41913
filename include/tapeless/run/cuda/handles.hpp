// SPDX-License-Identifier: BSL-1.0
// What CUDA gives out and wants back: streams, events, graphs, memory. Each is given back when its owner
// goes.
#pragma once

#include <utility>

#include <tapeless/run/cuda/device.hpp>

namespace tapeless::cuda_kernels {

/// Owns a handle that Free gives back.
template <class Handle, auto Free>
class owner {
 public:
  owner() = default;
  explicit owner(Handle handle) : handle_(handle) {}
  owner(owner&& other) noexcept : handle_(std::exchange(other.handle_, Handle())) {}
  owner& operator=(owner&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~owner() {
    if (handle_ != Handle()) Free(handle_);
  }
  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != Handle(); }

 private:
  Handle handle_ = Handle();
};

using stream = owner<cudaStream_t, cudaStreamDestroy>;
using event = owner<cudaEvent_t, cudaEventDestroy>;
using graph_template = owner<cudaGraph_t, cudaGraphDestroy>;
using executable_graph = owner<cudaGraphExec_t, cudaGraphExecDestroy>;
using device_pointer = owner<void*, cudaFree>;
using pinned_pointer = owner<void*, cudaFreeHost>;

inline stream make_stream() {
  cudaStream_t s{};
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return stream(s);
}
inline event make_event() {
  cudaEvent_t e{};
  check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  return event(e);
}

/// Memory on the current device, zero at the start. Throws an error that says what was asked for and what is
/// free.
inline device_pointer device_memory(std::int64_t bytes, std::string_view what) {
  if (bytes == 0) return {};
  void* p = nullptr;
  if (const cudaError_t status = cudaMalloc(&p, static_cast<std::size_t>(bytes)); status != cudaSuccess) {
    std::size_t free = 0, total = 0;
    cudaGetLastError();
    if (status == cudaErrorMemoryAllocation && cudaMemGetInfo(&free, &total) == cudaSuccess)
      throw_error({"cuda: out of memory: ", what, " takes ", bytes, " bytes, but ", free, " of the device's ",
                   total, " are free"});
    check(status, "cudaMalloc");
  }
  device_pointer memory(p);
  check(cudaMemset(p, 0, static_cast<std::size_t>(bytes)), "cudaMemset");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");  // no stream of ours would wait for it
  return memory;
}

/// Memory here that the device copies from and to by itself.
inline pinned_pointer pinned_memory(std::int64_t bytes) {
  if (bytes == 0) return {};
  void* p = nullptr;
  check(cudaMallocHost(&p, static_cast<std::size_t>(bytes)), "cudaMallocHost");
  return pinned_pointer(p);
}

}  // namespace tapeless::cuda_kernels
