// SPDX-License-Identifier: BSL-1.0
// The part of CUDA's runtime that tapeless uses, on devices that are not there.
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
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchFailure = 719,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorStreamCaptureImplicit = 906
};
enum cudaMemcpyKind {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };
inline constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;

namespace fake_cuda {

struct executable {
  graph steps;
};

/// A function of CUDA: what it does, its failures, and what devices do meanwhile.
template <class Body>
cudaError_t call(const char* function, Body body) {
  machine& m = machine::now();
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

/// What <<<>>> does. Whether it went well is the last error.
inline void launch(const char* what, stream* on, std::function<void()> work) {
  call("launch", [&](machine& m) -> cudaError_t {
    if (m.stream_of(on).device != m.device) return cudaErrorInvalidResourceHandle;
    return enqueue(m, what, on, [work = std::move(work)] {
      work();
      return 0;
    });
  });
}

}  // namespace fake_cuda

using cudaStream_t = fake_cuda::stream*;
using cudaEvent_t = fake_cuda::event*;
using cudaGraph_t = fake_cuda::graph*;
using cudaGraphExec_t = fake_cuda::executable*;

inline const char* cudaGetErrorName(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorLaunchOutOfResources:
      return "cudaErrorLaunchOutOfResources";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    default:
      return "cudaErrorOfSomeOtherName";
  }
}
inline const char* cudaGetErrorString(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorLaunchOutOfResources:
      return "too many resources requested for launch";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    default:
      return "some other error";
  }
}
inline cudaError_t cudaGetLastError() {
  fake_cuda::machine& m = fake_cuda::machine::now();
  const int status = m.broken() != 0 ? m.broken() : m.last_error;
  m.last_error = cudaSuccess;
  return static_cast<cudaError_t>(status);
}

inline cudaError_t cudaGetDeviceCount(int* count) {
  return fake_cuda::call("cudaGetDeviceCount", [&](fake_cuda::machine& m) {
    if (m.settings().driver < 13000) return cudaErrorInsufficientDriver;
    *count = m.settings().devices;
    return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
  });
}
inline cudaError_t cudaDriverGetVersion(int* version) {
  *version = fake_cuda::machine::now().settings().driver;
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int* device) {
  return fake_cuda::call("cudaGetDevice", [&](fake_cuda::machine& m) {
    *device = m.device;
    return cudaSuccess;
  });
}
inline cudaError_t cudaSetDevice(int device) {
  return fake_cuda::call("cudaSetDevice", [&](fake_cuda::machine& m) {
    if (device < 0 || device >= m.settings().devices) return cudaErrorInvalidDevice;
    m.device = device;
    return cudaSuccess;
  });
}

inline cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  return fake_cuda::call_outside_of_capture("cudaMalloc", [&](fake_cuda::machine& m) {
    if (m.memory().in_use(m.device) + bytes > m.settings().memory) return cudaErrorMemoryAllocation;
    *p = m.memory().allocate(m.device, bytes);
    return cudaSuccess;
  });
}
inline cudaError_t cudaMallocHost(void** p, std::size_t bytes) {
  return fake_cuda::call_outside_of_capture("cudaMallocHost", [&](fake_cuda::machine& m) {
    *p = m.memory().allocate(fake_cuda::pinned, bytes);
    return cudaSuccess;
  });
}
inline cudaError_t cudaFree(void* p) {
  return fake_cuda::call_outside_of_capture("cudaFree", [&](fake_cuda::machine& m) {
    if (const fake_cuda::block* b = m.memory().find(p); m.settings().free_waits && b != nullptr)
      m.finish(b->device);
    return m.memory().free(p, false) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
inline cudaError_t cudaFreeHost(void* p) {
  return fake_cuda::call_outside_of_capture("cudaFreeHost", [&](fake_cuda::machine& m) {
    return m.memory().free(p, true) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return fake_cuda::call("cudaMemGetInfo", [&](fake_cuda::machine& m) {
    *total = m.settings().memory;
    *free = *total - m.memory().in_use(m.device);
    return cudaSuccess;
  });
}
/// The host does not wait for it, and streams that are not blocking do not either.
inline cudaError_t cudaMemset(void* p, int x, std::size_t bytes) {
  return fake_cuda::call("cudaMemset",
                         [&](fake_cuda::machine& m) { return fake_cuda::set(m, p, x, bytes, nullptr); });
}
inline cudaError_t cudaMemsetAsync(void* p, int x, std::size_t bytes, cudaStream_t on) {
  return fake_cuda::call("cudaMemsetAsync",
                         [&](fake_cuda::machine& m) { return fake_cuda::set(m, p, x, bytes, on); });
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t on) {
  return fake_cuda::call("cudaMemcpyAsync", [&](fake_cuda::machine& m) {
    return fake_cuda::copy(m, to, from, bytes, kind, on);
  });
}

/// Pageable memory is read before it returns, but may not be there yet.
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return fake_cuda::call("cudaMemcpy", [&](fake_cuda::machine& m) {
    return fake_cuda::copy(m, to, from, bytes, kind, nullptr);
  });
}
inline cudaError_t cudaDeviceSynchronize() {
  return fake_cuda::call_outside_of_capture("cudaDeviceSynchronize", [&](fake_cuda::machine& m) {
    m.finish(m.device);
    return cudaSuccess;
  });
}

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags) {
  return fake_cuda::call("cudaStreamCreateWithFlags", [&](fake_cuda::machine& m) {
    if (flags != cudaStreamNonBlocking)
      fake_cuda::stop("streams that wait for the legacy one are not known here");
    *s = m.make_stream();
    m.count_handle("streams", 1);
    return cudaSuccess;
  });
}
/// What is in the queue still runs some time.
inline cudaError_t cudaStreamDestroy(cudaStream_t s) {
  return fake_cuda::call("cudaStreamDestroy", [&](fake_cuda::machine& m) {
    m.stream_of(s).is_destroyed = true;
    m.count_handle("streams", -1);
    return cudaSuccess;
  });
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t on) {
  return fake_cuda::call("cudaStreamSynchronize", [&](fake_cuda::machine& m) {
    fake_cuda::stream& s = m.stream_of(on);
    if (s.captured != nullptr) {
      m.spoil_captures();
      return cudaErrorStreamCaptureUnsupported;
    }
    m.wait(s, s.enqueued);
    return cudaSuccess;
  });
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t on, cudaEvent_t e) {
  return fake_cuda::call("cudaStreamWaitEvent", [&](fake_cuda::machine& m) {
    fake_cuda::stream& s = m.stream_of(on);
    if (s.captured != nullptr) fake_cuda::stop("events in graphs are not known here");
    if (e->recorded_on != nullptr)
      m.enqueue(s, {.what = "an event's wait", .awaited = e->recorded_on, .position = e->recorded});
    return cudaSuccess;
  });
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) {
  return fake_cuda::call("cudaEventCreateWithFlags", [&](fake_cuda::machine& m) {
    *e = new fake_cuda::event{.device = m.device};
    m.count_handle("events", 1);
    return cudaSuccess;
  });
}
inline cudaError_t cudaEventDestroy(cudaEvent_t e) {
  return fake_cuda::call("cudaEventDestroy", [&](fake_cuda::machine& m) {
    delete e;
    m.count_handle("events", -1);
    return cudaSuccess;
  });
}
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t on) {
  return fake_cuda::call("cudaEventRecord", [&](fake_cuda::machine& m) {
    fake_cuda::stream& s = m.stream_of(on);
    if (e->device != s.device) return cudaErrorInvalidResourceHandle;
    if (s.captured != nullptr) fake_cuda::stop("events in graphs are not known here");
    m.enqueue(s, {.what = "an event's record"});
    e->recorded_on = &s;
    e->recorded = s.enqueued;
    return cudaSuccess;
  });
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return fake_cuda::call("cudaEventSynchronize", [&](fake_cuda::machine& m) {
    if (e->recorded_on != nullptr) m.wait(*e->recorded_on, e->recorded);
    return cudaSuccess;
  });
}

inline cudaError_t cudaStreamBeginCapture(cudaStream_t on, cudaStreamCaptureMode) {
  return fake_cuda::call("cudaStreamBeginCapture", [&](fake_cuda::machine& m) {
    fake_cuda::stream& s = m.stream_of(on);
    if (on == nullptr || s.captured != nullptr) return cudaErrorStreamCaptureUnsupported;
    s.captured = std::make_unique<fake_cuda::graph>();
    s.capture_failed = false;
    return cudaSuccess;
  });
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t on, cudaGraph_t* graph) {
  return fake_cuda::call("cudaStreamEndCapture", [&](fake_cuda::machine& m) {
    fake_cuda::stream& s = m.stream_of(on);
    const auto captured = std::move(s.captured);
    if (captured == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    if (std::exchange(s.capture_failed, false)) return cudaErrorStreamCaptureInvalidated;
    *graph = new fake_cuda::graph(*captured);
    m.count_handle("graphs", 1);
    return cudaSuccess;
  });
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return fake_cuda::call("cudaGraphInstantiate", [&](fake_cuda::machine& m) {
    *executable = new fake_cuda::executable{*graph};
    m.count_handle("executable graphs", 1);
    return cudaSuccess;
  });
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t on) {
  return fake_cuda::call("cudaGraphLaunch", [&](fake_cuda::machine& m) {
    fake_cuda::stream& s = m.stream_of(on);
    if (s.captured != nullptr) fake_cuda::stop("graphs in graphs are not known here");
    for (const fake_cuda::operation& o : executable->steps.operations) m.enqueue(s, o);
    return cudaSuccess;
  });
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return fake_cuda::call("cudaGraphDestroy", [&](fake_cuda::machine& m) {
    delete graph;
    m.count_handle("graphs", -1);
    return cudaSuccess;
  });
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return fake_cuda::call("cudaGraphExecDestroy", [&](fake_cuda::machine& m) {
    delete executable;
    m.count_handle("executable graphs", -1);
    return cudaSuccess;
  });
}
