// SPDX-License-Identifier: BSL-1.0
// The part of cuFFT that tapeless uses, by the sums that transforms are. What makes real numbers spoils what
// it is given, and takes no imaginary part where there must be none.
#pragma once

#include <complex>
#include <limits>
#include <map>

#include "cuda_runtime.h"

enum cufftResult {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_EXEC_FAILED = 6
};
enum cufftType {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
};
inline constexpr int CUFFT_FORWARD = -1, CUFFT_INVERSE = 1;
using cufftHandle = int;

namespace fake_cuda {

struct transform {
  int device = 0;
  cufftType type = CUFFT_C2C;
  std::size_t n = 0, batch = 0;
  stream* on = nullptr;
  void* workspace = nullptr;
  bool allocates = true;

  bool is_double() const { return type >= CUFFT_Z2Z; }
  bool from_real() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  bool to_real() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  std::size_t element() const { return is_double() ? 8 : 4; }
  std::size_t half() const { return 2 * (n / 2 + 1); }
  std::size_t given() const { return from_real() ? n : to_real() ? half() : 2 * n; }
  std::size_t made() const { return to_real() ? n : from_real() ? half() : 2 * n; }
  std::size_t workspace_bytes() const { return batch * n * element(); }

  template <class T>
  void run(T* from, T* to, int sign) const {
    for (std::size_t b = 0; b < batch; ++b, from += given(), to += made()) {
      const auto number = [&](std::size_t j) -> std::complex<double> {
        if (from_real()) return from[j];
        if (to_real() && 2 * j > n)
          return std::conj(std::complex<double>(from[2 * (n - j)], from[2 * (n - j) + 1]));
        if (to_real() && (j == 0 || 2 * j == n) && from[2 * j + 1] != 0)
          stop("a transform to real numbers is given an imaginary part that stands for nothing");
        return {from[2 * j], from[2 * j + 1]};
      };
      for (std::size_t k = 0; k < (to_real() ? n : made() / 2); ++k) {
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < n; ++j)
          sum += number(j) * std::polar(1.0, sign * 6.283185307179586 * static_cast<double>(j * k % n) /
                                                 static_cast<double>(n));
        to[to_real() ? k : 2 * k] = static_cast<T>(sum.real());
        if (!to_real()) to[2 * k + 1] = static_cast<T>(sum.imag());
      }
      if (to_real()) std::fill(from, from + given(), std::numeric_limits<T>::quiet_NaN());
    }
  }
};

inline std::map<cufftHandle, transform>& transforms() {
  static std::map<cufftHandle, transform> all;
  return all;
}

/// A function of cuFFT.
template <class Body>
cufftResult call_cufft(const char* function, Body body) {
  machine& m = machine::now();
  const int status = m.begin(function);
  const cufftResult result = status != 0 ? static_cast<cufftResult>(status) : body(m);
  m.go_on();
  return result;
}

}  // namespace fake_cuda

inline cufftResult cufftCreate(cufftHandle* handle) {
  return fake_cuda::call_cufft("cufftCreate", [&](fake_cuda::machine& m) {
    auto& all = fake_cuda::transforms();
    *handle = all.empty() ? 0 : all.rbegin()->first + 1;
    all[*handle].device = m.device;
    m.count_handle("cuFFT's plans", 1);
    return CUFFT_SUCCESS;
  });
}
inline cufftResult cufftDestroy(cufftHandle handle) {
  return fake_cuda::call_cufft("cufftDestroy", [&](fake_cuda::machine& m) {
    if (fake_cuda::transforms().erase(handle) == 0) fake_cuda::stop("a plan of cuFFT's is destroyed twice");
    m.count_handle("cuFFT's plans", -1);
    return CUFFT_SUCCESS;
  });
}
inline cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
  return fake_cuda::call_cufft("cufftSetAutoAllocation", [&](fake_cuda::machine&) {
    fake_cuda::transforms().at(handle).allocates = allocates != 0;
    return CUFFT_SUCCESS;
  });
}
inline cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long* n, long long* inembed,
                                       long long, long long, long long* onembed, long long, long long,
                                       cufftType type, long long batch, std::size_t* bytes) {
  return fake_cuda::call_cufft("cufftMakePlanMany64", [&](fake_cuda::machine& m) {
    fake_cuda::transform& t = fake_cuda::transforms().at(handle);
    if (m.is_capturing()) fake_cuda::stop("a plan of cuFFT's is made while a graph is captured");
    if (rank != 1 || inembed != nullptr || onembed != nullptr || *n < 1 || batch < 1 || t.allocates)
      return CUFFT_INVALID_VALUE;
    t.type = type;
    t.n = static_cast<std::size_t>(*n);
    t.batch = static_cast<std::size_t>(batch);
    *bytes = t.workspace_bytes();
    return CUFFT_SUCCESS;
  });
}
inline cufftResult cufftSetStream(cufftHandle handle, cudaStream_t on) {
  return fake_cuda::call_cufft("cufftSetStream", [&](fake_cuda::machine&) {
    fake_cuda::transforms().at(handle).on = on;
    return CUFFT_SUCCESS;
  });
}
inline cufftResult cufftSetWorkArea(cufftHandle handle, void* workspace) {
  return fake_cuda::call_cufft("cufftSetWorkArea", [&](fake_cuda::machine&) {
    fake_cuda::transforms().at(handle).workspace = workspace;
    return CUFFT_SUCCESS;
  });
}
inline cufftResult cufftXtExec(cufftHandle handle, void* from, void* to, int direction) {
  return fake_cuda::call_cufft("cufftXtExec", [&](fake_cuda::machine& m) {
    const fake_cuda::transform t = fake_cuda::transforms().at(handle);
    if ((reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to)) % (2 * t.element()) !=
        0)
      return CUFFT_INVALID_VALUE;
    const std::pair<void*, std::size_t> parts[] = {{from, t.batch * t.given() * t.element()},
                                                   {to, t.batch * t.made() * t.element()},
                                                   {t.workspace, t.workspace_bytes()}};
    for (const auto& [p, bytes] : parts) {
      const fake_cuda::block* b = fake_cuda::block_of(m, p, bytes, "a transform");
      if (b == nullptr || b->device != t.device || m.device != t.device)
        fake_cuda::stop("a transform is given memory of somebody else");
    }
    const auto* copy = static_cast<const std::byte*>(from);
    const auto* work = static_cast<const std::byte*>(t.workspace);
    if (copy < work + t.workspace_bytes() && work < copy + t.batch * t.given() * t.element())
      fake_cuda::stop("a transform's operand lies in its workspace");
    const cudaError_t status = fake_cuda::enqueue(m, "a transform", t.on, [t, from, to, direction] {
      t.is_double() ? t.run(static_cast<double*>(from), static_cast<double*>(to), direction)
                    : t.run(static_cast<float*>(from), static_cast<float*>(to), direction);
      return 0;
    });
    return status == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
  });
}
