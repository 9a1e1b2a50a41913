// SPDX-License-Identifier: BSL-1.0
// The kernel families that the CPU has kernels for: a header of each, in which kernel_for<key>() is a kernel.
#pragma once

#include <array>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/common/family_kernels.hpp>
#include <tapeless/run/cpu/attention/cpu_attention.hpp>
#include <tapeless/run/cpu/convolution/cpu_convolution.hpp>
#include <tapeless/run/cpu/families/cpu_fourier.hpp>
#include <tapeless/run/cpu/families/cpu_gather.hpp>
#include <tapeless/run/cpu/families/cpu_matrix_function.hpp>
#include <tapeless/run/cpu/families/cpu_prefix_scan.hpp>
#include <tapeless/run/cpu/families/cpu_scatter.hpp>
#include <tapeless/run/cpu/families/cpu_sort.hpp>
#include <tapeless/run/cpu/pooling/cpu_pooling.hpp>

namespace tapeless::cpu_kernels {

using families = kernel_families;

/// A kernel of a family, and what makes the memory and the threads ready that it takes; null where it takes
/// none beside the operands and the calling thread. They are called with the arguments of all of the family's
/// commands, and the number of one: without their type, so that programs compile nothing of families that
/// they have not.
struct family_kernel {
  void (*run)(const void* arguments, std::size_t i, const thread_team&);
  void (*prepare)(const void* arguments, std::size_t i, thread_team&);
};

namespace detail {

template <auto Kernel, class Arguments>
void run_family_kernel(const void* all, std::size_t i, [[maybe_unused]] const thread_team& team) {
  const Arguments& arguments = static_cast<const Arguments*>(all)[i];
  if constexpr (requires { Kernel(arguments); }) {
    Kernel(arguments);
  } else {
    Kernel(arguments, team);
  }
}

template <auto Key, class Arguments>
TAPELESS_COLD void prepare_family_kernel(const void* all, std::size_t i, thread_team& team) {
  const Arguments& arguments = static_cast<const Arguments*>(all)[i];
  std::int64_t bytes = 0;
  int threads = 1;
  if constexpr (requires { workspace_bytes<Key>(arguments); }) bytes = workspace_bytes<Key>(arguments);
  if constexpr (requires { workspace_bytes<Key>(arguments, team); })
    bytes = workspace_bytes<Key>(arguments, team);
  if constexpr (requires { threads_of(arguments, team); }) threads = threads_of(arguments, team);
  team.reserve_workspace(bytes, threads);
  if constexpr (requires { arguments.only_prepares; }) prepare_kernel(kernel_for<Key>(), arguments, team);
}

template <auto Key, auto Kernel, class Arguments, class... Team>
constexpr family_kernel prepared(void (*)(const Arguments&, Team...)) {
  constexpr bool prepares = requires(const Arguments& arguments) { workspace_bytes<Key>(arguments); } ||
                            requires(const Arguments& arguments, const thread_team& team) {
                              threads_of(arguments, team);
                            } || requires(const Arguments& arguments) { arguments.only_prepares; };
  if constexpr (prepares) {
    return {&run_family_kernel<Kernel, Arguments>, &prepare_family_kernel<Key, Arguments>};
  } else {
    return {&run_family_kernel<Kernel, Arguments>, nullptr};
  }
}

}  // namespace detail

/// A kernel that takes the team splits its work itself; the others run on the calling thread.
struct family_kernel_finder {
  template <auto Key>
  static constexpr auto kernel() {
    constexpr auto found = kernel_for<Key>();
    return detail::prepared<Key, found>(found);
  }
};

/// The kernels of each family, by its place in the list.
using family_kernel_table = std::array<array_view<const family_kernel>, families::size>;

template <class GraphBuilder, class F>
constexpr array_view<const family_kernel> kernels_of_family() {
  if constexpr (plan_of<GraphBuilder>.families.template of<F>().size() != 0) {
    return tapeless::detail::family_kernels_of<GraphBuilder, family_kernel_finder, F>;
  } else {
    return {};
  }
}
template <class GraphBuilder, class... F>
constexpr family_kernel_table find_family_kernels(family_list<F...>) {
  return {kernels_of_family<GraphBuilder, F>()...};
}

}  // namespace tapeless::cpu_kernels
