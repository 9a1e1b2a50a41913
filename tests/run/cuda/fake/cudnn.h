// SPDX-License-Identifier: BSL-1.0
// The part of cuDNN's graph interface that tapeless uses: single convolutions, and graphs of operations. What
// the library would refuse is refused; its engines are what the test says.
#pragma once

#include "cuda_runtime.h"
#include "plans.hpp"

namespace fake_cuda {

/// A function of cuDNN.
template <class Body>
cudnnStatus_t call_cudnn(const char* function, Body body) {
  machine& m = machine::now();
  const auto here = m.lock();
  const int status = m.begin(function);
  const cudnnStatus_t result = status != 0 ? static_cast<cudnnStatus_t>(status) : body(m);
  m.go_on();
  return result;
}

}  // namespace fake_cuda

#define CUDNN_STATUS_CATEGORY(full_error_code) ((full_error_code) / 1000 * 1000)

using cudnnHandle_t = fake_cuda::cudnn*;
using cudnnBackendDescriptor_t = void*;

inline const char* cudnnGetErrorString(cudnnStatus_t status) {
  return status == CUDNN_STATUS_NOT_INITIALIZED    ? "CUDNN_STATUS_NOT_INITIALIZED"
         : status == CUDNN_STATUS_NOT_SUPPORTED    ? "CUDNN_STATUS_NOT_SUPPORTED"
         : status == CUDNN_STATUS_BAD_PARAM        ? "CUDNN_STATUS_BAD_PARAM"
         : status == CUDNN_STATUS_EXECUTION_FAILED ? "CUDNN_STATUS_EXECUTION_FAILED"
                                                   : "CUDNN_STATUS_INTERNAL_ERROR";
}

inline cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  return fake_cuda::call_cudnn("cudnnCreate", [&](fake_cuda::machine& m) {
    m.count_handle("cudnnHandle_t", 1);
    *handle = new fake_cuda::cudnn{.device = m.device};
    return CUDNN_STATUS_SUCCESS;
  });
}
inline cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  fake_cuda::machine::now().count_handle("cudnnHandle_t", -1);
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}
inline cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t on) {
  return fake_cuda::call_cudnn("cudnnSetStream", [&](fake_cuda::machine&) {
    handle->on = on;
    return CUDNN_STATUS_SUCCESS;
  });
}

inline cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                                  cudnnBackendDescriptor_t* descriptor) {
  return fake_cuda::call_cudnn("cudnnBackendCreateDescriptor", [&](fake_cuda::machine& m) {
    m.count_handle("cudnnBackendDescriptor_t", 1);
    *descriptor = new fake_cuda::descriptor{.type = type};
    return CUDNN_STATUS_SUCCESS;
  });
}
inline cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  fake_cuda::machine::now().count_handle("cudnnBackendDescriptor_t", -1);
  delete static_cast<fake_cuda::descriptor*>(descriptor);
  return CUDNN_STATUS_SUCCESS;
}
inline cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor,
                                              cudnnBackendAttributeName_t name,
                                              cudnnBackendAttributeType_t type, std::int64_t count,
                                              const void* items) {
  return fake_cuda::call_cudnn("cudnnBackendSetAttribute", [&](fake_cuda::machine&) {
    return static_cast<fake_cuda::descriptor*>(descriptor)->set(name, type, count, items);
  });
}
inline cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor,
                                              cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t,
                                              std::int64_t asked, std::int64_t* count, void* items) {
  return fake_cuda::call_cudnn("cudnnBackendGetAttribute", [&](fake_cuda::machine&) {
    return fake_cuda::get(*static_cast<const fake_cuda::descriptor*>(descriptor), name, asked, count, items);
  });
}
inline cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  return fake_cuda::call_cudnn("cudnnBackendFinalize", [&](fake_cuda::machine&) {
    return fake_cuda::finish(*static_cast<fake_cuda::descriptor*>(descriptor));
  });
}
inline cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                         cudnnBackendDescriptor_t pack) {
  return fake_cuda::call_cudnn("cudnnBackendExecute", [&](fake_cuda::machine& m) {
    return fake_cuda::execute(m, *handle, *static_cast<const fake_cuda::descriptor*>(plan),
                              *static_cast<const fake_cuda::descriptor*>(pack));
  });
}
