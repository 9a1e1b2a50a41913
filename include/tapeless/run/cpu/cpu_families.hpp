// SPDX-License-Identifier: BSL-1.0
// The kernel families that the CPU has kernels for: a header of each, in which kernel_for<key>() is a kernel.
#pragma once

#include <tapeless/run/common/family_kernels.hpp>
#include <tapeless/run/cpu/cpu_convolution.hpp>
#include <tapeless/run/cpu/cpu_fourier.hpp>
#include <tapeless/run/cpu/cpu_gather.hpp>
#include <tapeless/run/cpu/cpu_matrix_function.hpp>
#include <tapeless/run/cpu/cpu_pooling.hpp>
#include <tapeless/run/cpu/cpu_prefix_scan.hpp>
#include <tapeless/run/cpu/cpu_scatter.hpp>
#include <tapeless/run/cpu/cpu_sort.hpp>

namespace tapeless::cpu_kernels {

using families = kernel_families;

namespace detail {

template <auto Kernel, class Arguments>
void run_on_one_thread(const Arguments& arguments, const thread_team&) {
  Kernel(arguments);
}
template <auto Kernel, class Arguments>
constexpr auto on_one_thread(void (*)(const Arguments&)) {
  return &run_on_one_thread<Kernel, Arguments>;
}
template <auto Kernel, class Arguments>
constexpr auto on_one_thread(void (*)(const Arguments&, const thread_team&)) {
  return Kernel;
}

}  // namespace detail

/// A kernel that takes the team splits its work itself; the others run on the calling thread.
struct family_kernel_finder {
  template <auto Key>
  static constexpr auto kernel() {
    constexpr auto found = kernel_for<Key>();
    return detail::on_one_thread<found>(found);
  }
};

template <class F>
using family_kernels = kernels_of_family<F, const thread_team>;

/// How many threads a kernel takes.
template <class Arguments>
int family_threads(const Arguments& arguments, const thread_team& team) {
  if constexpr (requires { threads_of(arguments, team); }) {
    return threads_of(arguments, team);
  } else {
    return 1;
  }
}

/// Bytes of memory that a thread needs beside the operands.
template <class F>
std::int64_t family_workspace_bytes(const F& planned, const typename F::arguments& arguments) {
  if constexpr (requires { workspace_bytes_of(planned, arguments); }) {
    return workspace_bytes_of(planned, arguments);
  } else {
    return 0;
  }
}

}  // namespace tapeless::cpu_kernels
