// SPDX-License-Identifier: BSL-1.0
// What the functions of CUDA's runtime have in common: statuses, queues, copies, launches.
#pragma once

#include "machine.hpp"

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchFailure = 719,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorStreamCaptureUnjoined = 904,
  cudaErrorStreamCaptureImplicit = 906
};
enum cudaMemcpyKind {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum cudaStreamCaptureMode { cudaStreamCaptureModeRelaxed = 2 };
inline constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;

namespace fake_cuda {

struct executable {
  graph steps;
  std::vector<stream*> branches = {};
};

/// A function of CUDA: what it does, its failures, and what devices do meanwhile.
template <class Body>
cudaError_t call(const char* function, Body body) {
  machine& m = machine::now();
  const auto here = m.lock();
  int status = m.begin(function);
  if (status == cudaSuccess) status = body(m);
  if (status == cudaSuccess) status = m.broken();
  if (status != cudaSuccess) m.last_error = status;
  m.go_on();
  return static_cast<cudaError_t>(status);
}

/// The same of one that cannot be part of a graph.
template <class Body>
cudaError_t call_outside_of_capture(const char* function, Body body) {
  return call(function, [&](machine& m) -> cudaError_t {
    if (!m.is_capturing()) return body(m);
    m.spoil_captures();
    return cudaErrorStreamCaptureUnsupported;
  });
}

/// What surrounds a range of memory: null where CUDA knows nothing of it, so that it is the host's.
inline const block* block_of(machine& m, const void* p, std::size_t bytes, const char* what) {
  const block* b = m.memory().find(p);
  if (b == nullptr) return nullptr;
  const auto* begin = static_cast<const std::byte*>(p);
  if (b->is_freed) stop(std::string(what) + " is given " + name_of_device(b->device) + " that was freed");
  if (begin < b->begin || begin + bytes > b->begin + b->size)
    stop(std::string(what) + " is given " + std::to_string(bytes) + " bytes that go beyond a block of " +
         std::to_string(b->size) + " bytes of " + name_of_device(b->device));
  return b;
}

/// Puts work into a stream's queue.
inline cudaError_t enqueue(machine& m, const char* what, stream* on, std::function<int()> run) {
  stream& s = m.stream_of(on);
  if (on == nullptr && m.is_capturing()) {
    m.spoil_captures();
    return cudaErrorStreamCaptureImplicit;
  }
  if (s.capture_failed) return cudaErrorStreamCaptureInvalidated;
  m.enqueue(s, {.what = what, .run = std::move(run)});
  return cudaSuccess;
}

inline cudaError_t copy(machine& m, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                        stream* on) {
  if (bytes == 0) return cudaSuccess;
  stream& s = m.stream_of(on);
  const block* target = block_of(m, to, bytes, "a copy");
  const block* source = block_of(m, from, bytes, "a copy");
  const bool to_device = target != nullptr && target->device != pinned;
  const bool from_device = source != nullptr && source->device != pinned;
  if ((kind == cudaMemcpyHostToDevice && (!to_device || from_device)) ||
      (kind == cudaMemcpyDeviceToHost && (to_device || !from_device)) ||
      (kind == cudaMemcpyDeviceToDevice && (!to_device || !from_device)))
    stop("a copy goes in another direction than its kind says");
  for (const auto& [b, is_there] : {std::pair(target, to_device), std::pair(source, from_device)})
    if (is_there && b->device != s.device)
      stop("a copy on a device's stream touches another device's memory");
  const bool is_pageable = (!to_device && target == nullptr) || (!from_device && source == nullptr);
  if (is_pageable && s.captured != nullptr) stop("a copy of pageable memory becomes part of a graph");

  if (!from_device && source == nullptr) {  // is read before the call returns
    const auto* begin = static_cast<const std::byte*>(from);
    return enqueue(m, "a copy", on, [to, kept = std::vector<std::byte>(begin, begin + bytes)] {
      std::memcpy(to, kept.data(), kept.size());
      return 0;
    });
  }
  const cudaError_t status = enqueue(m, "a copy", on, [to, from, bytes] {
    std::memcpy(to, from, bytes);
    return 0;
  });
  if (status == cudaSuccess && !to_device && target == nullptr) m.wait(s, s.enqueued);
  return status;
}

inline cudaError_t set(machine& m, void* to, int x, std::size_t bytes, stream* on) {
  const block* target = block_of(m, to, bytes, "a memset");
  if (target == nullptr || target->device != m.stream_of(on).device)
    stop("a memset on a device's stream is given memory of somebody else");
  return enqueue(m, "a memset", on, [to, x, bytes] {
    memory_table::set(to, x, bytes);
    return 0;
  });
}

/// What cudaLaunchKernelEx does.
inline cudaError_t launch(const char* what, stream* on, std::function<void()> work) {
  return call("launch", [&](machine& m) -> cudaError_t {
    if (m.stream_of(on).device != m.device) return cudaErrorInvalidResourceHandle;
    return enqueue(m, what, on, [work = std::move(work)] {
      work();
      return 0;
    });
  });
}

}  // namespace fake_cuda
