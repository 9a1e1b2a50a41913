// SPDX-License-Identifier: BSL-1.0
// Finds the kernels of a plan's kernel families, on every backend.
#pragma once

#include <array>
#include <utility>

#include <tapeless/plan/plan.hpp>

namespace tapeless {

namespace detail {

template <class GraphBuilder, class F>
constexpr auto list_family_keys() {
  constexpr auto& all = plan_of<GraphBuilder>.families.template of<F>();
  std::array<typename F::key, all.size()> keys{};
  for (std::size_t i = 0; i != all.size(); ++i) keys[i] = all[i].kernel_key();
  return keys;
}

}  // namespace detail

/// What the kernels of a family are told apart by, in a program's plan. A table of its own: nvcc keeps a copy
/// of what a constant expression reads from, which takes megabytes where it is the plan as a whole.
template <class GraphBuilder, class F>
inline constexpr auto family_keys_of = detail::list_family_keys<GraphBuilder, F>();

/// Kernels of one family, by their numbers in the plan. Each takes F::arguments, and what the backend adds.
template <class F, class... More>
struct kernels_of_family {
  array_view<void (*const)(const typename F::arguments&, More&...)> items;
};

/// Lets a kernel make what it keeps from run to run, where its family's kernels keep anything.
template <class Kernel, class Arguments, class... More>
void prepare_kernel(Kernel kernel, const Arguments& arguments, More&... more) {
  if constexpr (requires { arguments.only_prepares; }) {
    Arguments own = arguments;
    own.only_prepares = true;
    kernel(own, more...);
  }
}

namespace detail {

template <class GraphBuilder, class Finder, class F, int... I>
constexpr auto family_kernels(std::integer_sequence<int, I...>) {
  return std::array{Finder::template kernel<family_keys_of<GraphBuilder, F>[I]>()...};
}
template <class GraphBuilder, class Finder, class F>
inline constexpr auto family_kernels_of = family_kernels<GraphBuilder, Finder, F>(
    std::make_integer_sequence<int, static_cast<int>(family_keys_of<GraphBuilder, F>.size())>{});

template <class GraphBuilder, class Finder, class F, class Kernels>
constexpr void find_family_kernels(Kernels& kernels) {
  if constexpr (plan_of<GraphBuilder>.families.template of<F>().size() != 0)
    kernels.template of<F>() = family_kernels_of<GraphBuilder, Finder, F>;
}

}  // namespace detail

/// All kernels of these families in a program's plan, where Finder::kernel<key>() is one kernel.
template <class GraphBuilder, class Finder, template <class> class Part, class... F>
constexpr by_family<Part, family_list<F...>> find_kernels(family_list<F...>) {
  by_family<Part, family_list<F...>> all;
  (detail::find_family_kernels<GraphBuilder, Finder, F>(all), ...);
  return all;
}

}  // namespace tapeless
