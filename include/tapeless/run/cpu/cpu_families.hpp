// SPDX-License-Identifier: BSL-1.0
// The kernel families that the CPU has kernels for: a header of each, in which kernel_for<key>() is a kernel.
#pragma once

#include <tapeless/run/common/family_kernels.hpp>
#include <tapeless/run/cpu/cpu_attention.hpp>
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

/// A kernel of a family, and what makes the memory and the threads ready that it takes; null where it takes
/// none beside the operands and the calling thread.
template <class Arguments>
struct family_kernel {
  void (*run)(const Arguments&, const thread_team&);
  void (*prepare)(const Arguments&, thread_team&);
};

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

template <auto Key, class Arguments>
void prepare_family_kernel(const Arguments& arguments, thread_team& team) {
  std::int64_t bytes = 0;
  int threads = 1;
  if constexpr (requires { workspace_bytes<Key>(arguments); }) bytes = workspace_bytes<Key>(arguments);
  if constexpr (requires { threads_of(arguments, team); }) threads = threads_of(arguments, team);
  team.reserve_workspace(bytes, threads);
  if constexpr (requires { arguments.only_prepares; }) prepare_kernel(kernel_for<Key>(), arguments, team);
}

template <auto Key, class Arguments>
constexpr family_kernel<Arguments> prepared(void (*run)(const Arguments&, const thread_team&)) {
  constexpr bool prepares = requires(const Arguments& arguments) { workspace_bytes<Key>(arguments); } ||
                            requires(const Arguments& arguments, const thread_team& team) {
                              threads_of(arguments, team);
                            } || requires(const Arguments& arguments) { arguments.only_prepares; };
  if constexpr (prepares) {
    return {run, &prepare_family_kernel<Key, Arguments>};
  } else {
    return {run, nullptr};
  }
}

}  // namespace detail

/// A kernel that takes the team splits its work itself; the others run on the calling thread.
struct family_kernel_finder {
  template <auto Key>
  static constexpr auto kernel() {
    constexpr auto found = kernel_for<Key>();
    return detail::prepared<Key>(detail::on_one_thread<found>(found));
  }
};

template <class F>
struct family_kernels {
  array_view<const family_kernel<typename F::arguments>> items;
};

}  // namespace tapeless::cpu_kernels
