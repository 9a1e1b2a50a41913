// SPDX-License-Identifier: BSL-1.0
// cuDNN's graph interface: descriptors whose attributes are set, then finished, and given back when their
// owner goes. Without TAPELESS_HAS_CUDNN this header is empty.
#pragma once

#ifdef TAPELESS_HAS_CUDNN

#include <cudnn.h>

#include <span>

#include <tapeless/run/cuda/handles.hpp>

namespace tapeless::cuda_kernels {

inline void check(cudnnStatus_t status, const char* call, const activity& during = {}) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw_error({"cuda: ", call, " failed: ", cudnnGetErrorString(status), text_of(during)});
}

using cudnn_handle = owner<cudnnHandle_t, cudnnDestroy>;

/// cuDNN, which starts its kernels on the stream.
inline cudnn_handle make_cudnn(cudaStream_t on) {
  cudnnHandle_t h{};
  check(cudnnCreate(&h), "cudnnCreate");
  cudnn_handle handle(h);
  check(cudnnSetStream(h, on), "cudnnSetStream");
  return handle;
}

/// One descriptor. It remembers the first thing that went wrong.
class backend_descriptor {
 public:
  backend_descriptor() = default;
  explicit backend_descriptor(cudnnBackendDescriptorType_t type) {
    cudnnBackendDescriptor_t d{};
    note(cudnnBackendCreateDescriptor(type, &d));
    descriptor_ = owner<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor>(d);
  }

  cudnnBackendDescriptor_t get() const { return descriptor_.get(); }
  explicit operator bool() const { return static_cast<bool>(descriptor_); }

  template <class T>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::span<const T> items) {
    note(cudnnBackendSetAttribute(get(), name, type, static_cast<std::int64_t>(items.size()), items.data()));
  }
  template <class T>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T& item) {
    set(name, type, std::span<const T>(&item, 1));
  }
  void set(cudnnBackendAttributeName_t name, const backend_descriptor& d) {
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, d.get());
  }
  /// Whether all went well.
  bool finish() {
    note(cudnnBackendFinalize(get()));
    return status_ == CUDNN_STATUS_SUCCESS;
  }
  cudnnStatus_t status() const { return status_; }

  /// Into items, as many as these are at most. Returns how many there are.
  template <class T>
  std::int64_t read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                    std::span<T> items) const {
    std::int64_t count = 0;
    check(cudnnBackendGetAttribute(get(), name, type, static_cast<std::int64_t>(items.size()), &count,
                                   items.data()),
          "cudnnBackendGetAttribute");
    return count;
  }

 private:
  owner<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor> descriptor_;
  cudnnStatus_t status_ = CUDNN_STATUS_SUCCESS;

  void note(cudnnStatus_t status) {
    if (status_ == CUDNN_STATUS_SUCCESS) status_ = status;
  }
};

}  // namespace tapeless::cuda_kernels

#endif
