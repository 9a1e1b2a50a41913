// SPDX-License-Identifier: BSL-1.0
// The part of CUDA's runtime that tapeless uses, on devices that are not there.
#pragma once

#include "calls.hpp"

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
  return fake_cuda::call("cudaDeviceSynchronize", [&](fake_cuda::machine& m) -> cudaError_t {
    if (m.anybody_captures()) {
      m.spoil_captures();
      return cudaErrorStreamCaptureUnsupported;
    }
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
    if (const auto captured = e->captured.lock()) {
      if (s.captured != nullptr && s.captured != captured) return cudaErrorStreamCaptureUnsupported;
      if (s.captured == nullptr) {  // it takes part from here on
        s.captured = captured;
        s.captured_by = std::this_thread::get_id();
        s.branch = captured->branches++;
      }
      captured->steps.push_back({s.branch, {.what = "an event's wait"}, e->step});
      return cudaSuccess;
    }
    if (s.captured != nullptr) fake_cuda::stop("a graph waits for what is outside of it");
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
    e->captured = s.captured;
    m.enqueue(s, {.what = "an event's record"});
    if (s.captured != nullptr) {
      e->step = s.captured->steps.size() - 1;
      return cudaSuccess;
    }
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

/// Those who ask again and again give the device time.
inline cudaError_t cudaEventQuery(cudaEvent_t e) {
  return fake_cuda::call("cudaEventQuery", [&](fake_cuda::machine& m) {
    if (e->recorded_on == nullptr || m.has_come(*e->recorded_on, e->recorded)) return cudaSuccess;
    m.let_others_go_on();
    return cudaErrorNotReady;
  });
}

inline cudaError_t cudaStreamBeginCapture(cudaStream_t on, cudaStreamCaptureMode) {
  return fake_cuda::call("cudaStreamBeginCapture", [&](fake_cuda::machine& m) {
    fake_cuda::stream& s = m.stream_of(on);
    if (on == nullptr || s.captured != nullptr) return cudaErrorStreamCaptureUnsupported;
    s.captured = m.make_graph();
    s.branch = 0;
    s.captured_by = std::this_thread::get_id();
    s.capture_failed = false;
    return cudaSuccess;
  });
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t on, cudaGraph_t* graph) {
  return fake_cuda::call("cudaStreamEndCapture", [&](fake_cuda::machine& m) {
    fake_cuda::stream& s = m.stream_of(on);
    const auto captured = s.captured;
    if (captured == nullptr || s.branch != 0) return cudaErrorInvalidValue;
    *graph = nullptr;
    if (!m.end_capture(captured.get())) return cudaErrorStreamCaptureInvalidated;
    if (!captured->is_joined()) return cudaErrorStreamCaptureUnjoined;
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
    m.launch(executable->steps, s, executable->branches);
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
