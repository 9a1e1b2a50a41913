// SPDX-License-Identifier: BSL-1.0
// The kernels of a plan: for each of its fused kernels, products and what is of a family the instantiation
// that its kernel key asks for.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/plan/plan.hpp>
#include <tapeless/run/cpu/cpu_families.hpp>
#include <tapeless/run/cpu/fused/fused_kernel.hpp>
#include <tapeless/run/cpu/product/product_kernel.hpp>
#include <tapeless/run/cpu/straight_line/loop_functions.hpp>

namespace tapeless::cpu_kernels {

/// The kernels of a program. Those of commands whose loop is a function are null.
struct kernel_table {
  array_view<void (*const)(const fused_kernel_arguments&)> fused_kernels;
  array_view<const product_functions> products;
  family_kernel_table of_families;
  bool flushes_denormals = false;  // where the policy asks for it
  array_view<const loop_function> loops = {};
};

namespace detail {

/// Whether the only command that runs a fused kernel or a product is a part of a loop's function.
template <class GraphBuilder, bool LoopsAreFunctions>
constexpr bool is_left_to_loop(enum planned_command::kind kind, int index) {
  if constexpr (LoopsAreFunctions && plan_of<GraphBuilder>.loops.size() != 0) {
    constexpr auto& commands = plan_of<GraphBuilder>.commands;
    for (std::size_t s = 0; s < commands.size(); ++s)
      if (commands[s].kind == kind && commands[s].index == index) return is_in_loop_function<GraphBuilder>[s];
  }
  return false;
}

template <class GraphBuilder, bool LoopsAreFunctions, int Kernel>
constexpr auto fused_kernel_of() -> void (*)(const fused_kernel_arguments&) {
  if constexpr (is_left_to_loop<GraphBuilder, LoopsAreFunctions>(planned_command::kind::fused_kernel, Kernel))
    return nullptr;
  else
    return &fused_kernel<std::remove_pointer_t<kernel_key_of<GraphBuilder, Kernel>>>::run;
}
template <class GraphBuilder, bool LoopsAreFunctions, int... Kernel>
constexpr auto make_fused_kernels(std::integer_sequence<int, Kernel...>) {
  return std::array<void (*)(const fused_kernel_arguments&), sizeof...(Kernel)>{
      fused_kernel_of<GraphBuilder, LoopsAreFunctions, Kernel>()...};
}

// Whether an extent can be 1; a derived one has its literal factor last.
template <class Extents>
constexpr bool may_be_one(const Extents& extents, std::int64_t e) {
  if (e >= 0) return e == 1;
  const derived_extent& d = extents[static_cast<std::size_t>(-1 - e)];
  return d.kind != extent_kind::product || d.right < 2;
}

// Where a product is known to be one of vectors, as its kernel takes them.
constexpr vector_product vector_product_of(const planned_product& p) {
  const int row = p.batch_rank, column = row + 1;
  if (p.k == 1 && p.b.strides[column] == 1) return vector_product::outer;
  if (p.n == 1 && p.b.strides[row] == 1) return vector_product::column;
  if (p.m == 1 && p.a.strides[column] == 1) return vector_product::row;
  return vector_product::none;
}

template <class GraphBuilder, bool LoopsAreFunctions, int Product>
constexpr product_functions product_kernel_of() {
  constexpr planned_product p = plan_of<GraphBuilder>.products[Product];
  constexpr bool rows_a = p.a.strides[p.batch_rank + 1] == 1 || p.k == 1;
  constexpr bool rows_b = p.b.strides[p.batch_rank + 1] == 1 || p.n == 1;
  // a loop packs its operands, and elements of 16 bits are products of float
  constexpr vector_product kind = plan_of<GraphBuilder>.loops.size() == 0 && !is_half(p.type)
                                      ? vector_product_of(p)
                                      : vector_product::none;
  using type = storage_of<p.type>;
  if constexpr (is_left_to_loop<GraphBuilder, LoopsAreFunctions>(planned_command::kind::product, Product)) {
    return {};
  } else if constexpr (kind != vector_product::none) {
    constexpr bool rows = kind == vector_product::column ? rows_a : rows_b;
    using kernel = vector_product_kernel<type, kind, rows>;
    return {&kernel::run, &kernel::workspace, &kernel::pack};
  } else {
    constexpr bool one_row = may_be_one(plan_of<GraphBuilder>.extents, p.m),
                   one_column = may_be_one(plan_of<GraphBuilder>.extents, p.n);
    constexpr bool any = is_half(p.type);  // the same for all layouts
    using kernel = product_kernel<type, any || rows_a, any || rows_b, any || one_row, any || one_column>;
    return {&kernel::run, &product_kernel_workspace<type>, &kernel::pack};
  }
}

template <class GraphBuilder, bool LoopsAreFunctions, int... Product>
constexpr auto product_kernels(std::integer_sequence<int, Product...>) {
  return std::array<product_functions, sizeof...(Product)>{
      product_kernel_of<GraphBuilder, LoopsAreFunctions, Product>()...};
}

template <class GraphBuilder, bool LoopsAreFunctions>
inline constexpr auto fused_kernels_of = make_fused_kernels<GraphBuilder, LoopsAreFunctions>(
    std::make_integer_sequence<int, static_cast<int>(plan_of<GraphBuilder>.fused_kernels.size())>{});
template <class GraphBuilder, bool LoopsAreFunctions>
inline constexpr auto product_kernels_of = product_kernels<GraphBuilder, LoopsAreFunctions>(
    std::make_integer_sequence<int, static_cast<int>(plan_of<GraphBuilder>.products.size())>{});

}  // namespace detail

/// The kernels of a plan, with a function for each loop of little work if LoopsAreFunctions. nvcc reads the
/// source once more for the device, where these never run, and would need gigabytes for them.
#ifdef __CUDA_ARCH__
template <class GraphBuilder, bool LoopsAreFunctions = false>
inline constexpr kernel_table kernels_of{};
#else
template <class GraphBuilder, bool LoopsAreFunctions = false>
inline constexpr kernel_table kernels_of = [] {
  kernel_table all{detail::fused_kernels_of<GraphBuilder, LoopsAreFunctions>,
                   detail::product_kernels_of<GraphBuilder, LoopsAreFunctions>,
                   find_family_kernels<GraphBuilder>(families{}), flushes_denormals_in<GraphBuilder>()};
  if constexpr (LoopsAreFunctions && plan_of<GraphBuilder>.loops.size() != 0)
    all.loops = loop_functions_of<GraphBuilder>;
  return all;
}();
#endif

/// The kernels of programs whose loops are functions where they are little work.
struct tables_with_loop_functions {
  using kernel_table = cpu_kernels::kernel_table;
  template <class GraphBuilder>
  static constexpr kernel_table kernels = kernels_of<GraphBuilder, true>;
};

}  // namespace tapeless::cpu_kernels
