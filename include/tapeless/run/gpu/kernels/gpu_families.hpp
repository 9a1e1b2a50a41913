// SPDX-License-Identifier: BSL-1.0
// The kernel families over Thrust: a header of each, in which kernel_for<key, Executor>() is a kernel. One
// that needs memory beside its operands says how much by workspace_bytes_of(planned, arguments).
#pragma once

#include <type_traits>

#include <tapeless/run/common/family_kernels.hpp>
#include <tapeless/run/gpu/kernels/attention_kernel.hpp>
#include <tapeless/run/gpu/kernels/convolution_kernel.hpp>
#include <tapeless/run/gpu/kernels/fourier_kernel.hpp>
#include <tapeless/run/gpu/kernels/gather_kernel.hpp>
#include <tapeless/run/gpu/kernels/matrix_function_kernel.hpp>
#include <tapeless/run/gpu/kernels/pooling_kernel.hpp>
#include <tapeless/run/gpu/kernels/prefix_scan_kernel.hpp>
#include <tapeless/run/gpu/kernels/scatter_kernel.hpp>
#include <tapeless/run/gpu/kernels/sort_kernel.hpp>

namespace tapeless::thrust_kernels {

template <class Executor>
struct family_kernel_finder {
  template <auto Key>
  static constexpr auto kernel() {
    return kernel_for<Key, Executor>();
  }
  template <class F>
  using kernels = kernels_of_family<F, Executor>;
};

template <class F>
std::int64_t family_workspace_bytes(const F& planned, const typename F::arguments& arguments) {
  if constexpr (requires { workspace_bytes_of(planned, arguments); }) {
    return workspace_bytes_of(planned, arguments);
  } else {
    return 0;
  }
}

}  // namespace tapeless::thrust_kernels
