// SPDX-License-Identifier: BSL-1.0
// The kernels of a plan over Thrust: for each of its passes and walks the instance that its description asks
// for. Products are the machine's own.
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <utility>

#include <tapeless/run/thrust/map.hpp>
#include <tapeless/run/thrust/reduce.hpp>
#include <tapeless/run/thrust/walk.hpp>

namespace tapeless::thrust_kernels {

/// The kernels of a program's passes and walks.
template <class Executor>
struct kernel_table {
  std::span<void (*const)(const pass_call*, Executor&)> passes;
  std::span<void (*const)(const walk_call&, Executor&)> walks;
};

/// A pass that reduces has a store that does, over some axis; one that only adds to memory is a map.
template <class Description, bool Reduces>
struct pass_kernel {
  using body = pass_body<Description>;
  template <class Executor>
  static void run(const pass_call* call, Executor& executor) {
    if constexpr (Reduces) {
      reduce<body>::run(*call, executor);
    } else {
      map<body>::run(*call, executor);
    }
  }
};

namespace detail {

template <class Stage, int Pass>
constexpr bool reduces() {
  constexpr auto& plan = plan_of<Stage>;
  constexpr const planned_pass& p = plan.passes[Pass];
  if (p.accumulates) return false;
  for (int k = 0; k < p.stores; ++k)
    if (plan.stores[p.first_store + k].reduction != nullptr) return true;
  return false;
}

template <class Stage, class Executor, int... Pass>
constexpr auto pass_kernels(std::integer_sequence<int, Pass...>) {
  return std::array<void (*)(const pass_call*, Executor&), sizeof...(Pass)>{
      &pass_kernel<std::remove_pointer_t<description_of<Stage, Pass>>,
                   reduces<Stage, Pass>()>::template run<Executor>...};
}
template <class Stage, class Executor>
inline constexpr auto pass_kernels_of = pass_kernels<Stage, Executor>(
    std::make_integer_sequence<int, static_cast<int>(plan_of<Stage>.passes.size())>{});

template <class Stage, class Executor, int Walk>
constexpr auto walk_kernel_of() {
  constexpr auto& w = plan_of<Stage>.walks[Walk];
  using value = storage_of<w.type>;
  using index = storage_of<w.index_type>;
  if constexpr (w.kind == walk::gather) return &gather<value, index, Executor>;
  if constexpr (w.kind == walk::scatter_add) return &scatter_add<value, index, Executor>;
  if constexpr (w.kind == walk::flip) return &flip<value, Executor>;
  if constexpr (w.kind == walk::cumsum) return &cumsum<value, Executor>;
}

template <class Stage, class Executor, int... Walk>
constexpr auto walk_kernels(std::integer_sequence<int, Walk...>) {
  return std::array<void (*)(const walk_call&, Executor&), sizeof...(Walk)>{
      walk_kernel_of<Stage, Executor, Walk>()...};
}
template <class Stage, class Executor>
inline constexpr auto walk_kernels_of = walk_kernels<Stage, Executor>(
    std::make_integer_sequence<int, static_cast<int>(plan_of<Stage>.walks.size())>{});

}  // namespace detail

/// The kernels of a stage's plan on an executor.
template <class Stage, class Executor>
inline constexpr kernel_table<Executor> kernels_of{detail::pass_kernels_of<Stage, Executor>,
                                                   detail::walk_kernels_of<Stage, Executor>};

}  // namespace tapeless::thrust_kernels
