// SPDX-License-Identifier: BSL-1.0
// The kernels of a plan: for each of its passes, products and walks the instance that its description asks
// for.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include <tapeless/graph/array_view.hpp>
#include <tapeless/plan/plan.hpp>
#include <tapeless/run/cpu/pass.hpp>
#include <tapeless/run/cpu/product_kernel.hpp>
#include <tapeless/run/cpu/walk.hpp>

namespace tapeless::cpu_kernels {

/// The kernels of a program's passes and products.
struct kernel_table {
  array_view<void (*const)(const pass_call&)> passes;
  array_view<void (*const)(const product_call&)> products;
  array_view<void (*const)(const walk_call&)> walks;
};

namespace detail {

template <class Stage, int... Pass>
constexpr auto pass_kernels(std::integer_sequence<int, Pass...>) {
  return std::array<void (*)(const pass_call&), sizeof...(Pass)>{
      &pass_kernel<std::remove_pointer_t<description_of<Stage, Pass>>>::run...};
}

template <class Stage, int Product>
constexpr auto product_kernel_of() {
  constexpr planned_product p = plan_of<Stage>.products[Product];
  constexpr bool rows_a = p.a.strides[p.batch_rank + 1] == 1 || p.k == 1;
  constexpr bool rows_b = p.b.strides[p.batch_rank + 1] == 1 || p.n == 1;
  if constexpr (is_half(p.type))
    return &product_kernel<storage_of<p.type>, true, true>::run;  // for all layouts
  return &product_kernel<storage_of<p.type>, rows_a, rows_b>::run;
}

template <class Stage, int... Product>
constexpr auto product_kernels(std::integer_sequence<int, Product...>) {
  return std::array<void (*)(const product_call&), sizeof...(Product)>{
      product_kernel_of<Stage, Product>()...};
}

template <class Stage>
inline constexpr auto pass_kernels_of =
    pass_kernels<Stage>(std::make_integer_sequence<int, static_cast<int>(plan_of<Stage>.passes.size())>{});
template <class Stage>
inline constexpr auto product_kernels_of = product_kernels<Stage>(
    std::make_integer_sequence<int, static_cast<int>(plan_of<Stage>.products.size())>{});

template <class Stage, int Walk>
constexpr auto walk_kernel_of() {
  constexpr auto& w = plan_of<Stage>.walks[Walk];
  using value = storage_of<w.type>;
  using index = storage_of<w.index_type>;
  if constexpr (w.kind == walk::gather) return &gather_kernel<value, index>::run;
  if constexpr (w.kind == walk::scatter_add) return &scatter_add_kernel<value, index>::run;
  if constexpr (w.kind == walk::flip) return &flip_kernel<value>::run;
  if constexpr (w.kind == walk::cumsum) return &cumsum_kernel<value>::run;
}

template <class Stage, int... Walk>
constexpr auto walk_kernels(std::integer_sequence<int, Walk...>) {
  return std::array<void (*)(const walk_call&), sizeof...(Walk)>{walk_kernel_of<Stage, Walk>()...};
}
template <class Stage>
inline constexpr auto walk_kernels_of =
    walk_kernels<Stage>(std::make_integer_sequence<int, static_cast<int>(plan_of<Stage>.walks.size())>{});

}  // namespace detail

/// The kernels of a stage's plan. nvcc reads the program once more for the device, where these never run, and
/// would need gigabytes for them.
#ifdef __CUDA_ARCH__
template <class Stage>
inline constexpr kernel_table kernels_of{};
#else
template <class Stage>
inline constexpr kernel_table kernels_of{detail::pass_kernels_of<Stage>, detail::product_kernels_of<Stage>,
                                         detail::walk_kernels_of<Stage>};
#endif

}  // namespace tapeless::cpu_kernels
