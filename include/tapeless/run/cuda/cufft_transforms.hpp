// SPDX-License-Identifier: BSL-1.0
// Fourier transforms by cuFFT, where its header is there. Only programs that have transforms are linked with
// it: all here is named by their kernels alone.
#pragma once

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/run/cuda/executor.hpp>
#include <tapeless/run/gpu/kernels/fourier_kernel.hpp>

#if __has_include(<cufftXt.h>)

#include <cufftXt.h>

#include <cstdint>
#include <memory>
#include <type_traits>

namespace tapeless::cuda_kernels {

inline void check(cufftResult status, const char* call, const activity& during) {
  if (status == CUFFT_SUCCESS) return;
  throw_error({"cuda: ", call, " failed: cufftResult ", static_cast<int>(status), text_of(during)});
}

template <class T>
constexpr cufftType cufft_type_of(fourier_kind kind) {
  constexpr bool is_double = std::is_same_v<T, double>;
  switch (kind) {
    case fourier_kind::forward:
    case fourier_kind::backward:
      break;
    case fourier_kind::half:
      return is_double ? CUFFT_D2Z : CUFFT_R2C;
    case fourier_kind::whole:
      return is_double ? CUFFT_Z2D : CUFFT_C2R;
  }
  return is_double ? CUFFT_Z2Z : CUFFT_C2C;
}

/// `batch` transforms of n numbers, one behind the other. Its memory is lent.
class cufft_plan {
 public:
  cufft_plan(cufftType type, std::int64_t n, std::int64_t batch, cudaStream_t on, const activity& during) {
    check(cufftCreate(&handle_), "cufftCreate", during);
    made_.reset(&handle_);
    check(cufftSetAutoAllocation(handle_, 0), "cufftSetAutoAllocation", during);
    long long length = n;
    std::size_t bytes = 0;
    check(cufftMakePlanMany64(handle_, 1, &length, nullptr, 1, n, nullptr, 1, n, type, batch, &bytes),
          "cufftMakePlanMany64", during);
    check(cufftSetStream(handle_, on), "cufftSetStream", during);
    workspace_bytes_ = tapeless::detail::aligned(static_cast<std::int64_t>(bytes), 256);
  }

  cufft_plan(const cufft_plan&) = delete;
  cufft_plan& operator=(const cufft_plan&) = delete;

  std::int64_t workspace_bytes() const { return workspace_bytes_; }

  void run(std::byte* from, std::byte* to, bool forward, std::byte* workspace, const activity& during) const {
    check(cufftSetWorkArea(handle_, workspace), "cufftSetWorkArea", during);
    check(cufftXtExec(handle_, from, to, forward ? CUFFT_FORWARD : CUFFT_INVERSE), "cufftXtExec", during);
  }

 private:
  struct destroyer {
    void operator()(const cufftHandle* handle) const { cufftDestroy(*handle); }
  };
  cufftHandle handle_{};
  std::unique_ptr<const cufftHandle, destroyer> made_;
  std::int64_t workspace_bytes_ = 0;
};

/// Copies complex numbers, since cuFFT spoils what it makes real ones of; and makes those real that must be.
template <class T>
struct hermitian_copy {
  thrust_kernels::divisor each;  // complex numbers of a signal
  std::int64_t n;
  const T* source;
  T* target;

  constexpr void operator()(std::uint32_t item) const {
    const std::int64_t k = item - each.quotient(item) * each.value(), at = 2 * std::int64_t{item};
    target[at] = source[at];
    target[at + 1] = k == 0 || 2 * k == n ? T(0) : source[at + 1];
  }
};

}  // namespace tapeless::cuda_kernels

namespace tapeless::thrust_kernels {

template <>
struct fourier_library<cuda_kernels::executor> {
  template <class T, fourier_kind Kind>
  static bool run(const fourier_arguments& arguments, cuda_kernels::executor& executor) {
    using cuda_kernels::cufft_plan;
    constexpr bool copies = Kind == fourier_kind::whole;
    const std::int64_t complex_numbers = arguments.batch * (arguments.n / 2 + 1);
    if (arguments.only_prepares) {
      executor.kept() = {};  // its memory first
      const auto plan = std::make_shared<cufft_plan>(cuda_kernels::cufft_type_of<T>(Kind), arguments.n,
                                                     arguments.batch, executor.stream(), executor.now());
      executor.kept() = plan;
      executor.want(plan->workspace_bytes() + (copies ? 2 * complex_numbers * std::int64_t{sizeof(T)} : 0));
      return true;
    }
    const auto places = reinterpret_cast<std::uintptr_t>(arguments.source) |
                        reinterpret_cast<std::uintptr_t>(arguments.target);
    if (places % (2 * sizeof(T)) != 0) return false;  // which cuFFT does not take
    const auto& plan = *static_cast<const cufft_plan*>(executor.kept().get());
    std::byte *const workspace = executor.lent_memory(), *source = arguments.source;
    if constexpr (copies) {
      detail::require_one_launch(complex_numbers);
      source = workspace + plan.workspace_bytes();
      executor.for_each(complex_numbers,
                        cuda_kernels::hermitian_copy<T>{divisor(arguments.n / 2 + 1), arguments.n,
                                                        reinterpret_cast<const T*>(arguments.source),
                                                        reinterpret_cast<T*>(source)});
    }
    plan.run(source, arguments.target, Kind == fourier_kind::forward || Kind == fourier_kind::half, workspace,
             executor.now());
    return true;
  }
};

}  // namespace tapeless::thrust_kernels

#endif
