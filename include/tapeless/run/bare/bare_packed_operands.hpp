// SPDX-License-Identifier: BSL-1.0
// Right operands of products that are the same in all iterations of a loop, and packed once: where sums are
// as in tables, which pack them, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/plan/plan.hpp>
#include <tapeless/run/bare/bare_memory.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/order_of_products.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// The command that ends the loop which command `begin` begins.
template <class GraphBuilder>
constexpr int end_of_loop(int begin) {
  constexpr auto& commands = plan_of<GraphBuilder>.commands;
  int end = begin + 1;
  while (commands[static_cast<std::size_t>(end)].kind != planned_command::kind::loop_end) ++end;
  return end;
}

/// The command that begins the loop which a command is in, or whose end it is; -1 without one.
template <class GraphBuilder>
constexpr int begin_of_loop(int number) {
  constexpr auto& commands = plan_of<GraphBuilder>.commands;
  int begin = -1;
  for (int i = 0; i < number; ++i) {
    const auto kind = commands[static_cast<std::size_t>(i)].kind;
    if (kind == planned_command::kind::loop_begin) begin = i;
    if (kind == planned_command::kind::loop_end) begin = -1;
  }
  return begin;
}

/// Whether a product's right operand is packed where the product is in a loop. As in tables, which do so
/// where nothing can write to it.
template <class GraphBuilder, class Arithmetic>
constexpr bool is_packed_in_loop(const planned_product& p) {
  if constexpr (Arithmetic::sums_as_tables) {
    const storage kind = plan_of<GraphBuilder>.place[static_cast<std::size_t>(p.b.base)].kind;
    if (kind != storage::parameter && kind != storage::input) return false;
    for (int d = 0; d < p.batch_rank; ++d)
      if (p.batch[d] != 1) return false;
    const int row = p.batch_rank, column = row + 1;
    const product_layout layout{
        p.m, p.n, p.k, p.a.strides[row], p.a.strides[column], p.b.strides[row], p.b.strides[column]};
    const int width =
        p.type == element::f64 ? Arithmetic::template width<double> : Arithmetic::template width<float>;
    return p.b.iteration_stride == 0 && !is_half(p.type) &&
           is_packed_for_row(layout, width, static_cast<std::int64_t>(size_of(p.type)));
  } else {
    return false;
  }
}

/// From one row of a packed operand of so many columns to the next.
template <class T>
constexpr std::int64_t packed_row(std::int64_t columns) {
  constexpr std::int64_t width = vector_width<T>;
  return (columns + width - 1) / width * width;
}

}  // namespace detail

/// Memory for the packed operands of the loop that command `Begin` begins, and where that of each product is
/// in it; -1 for those without.
template <class GraphBuilder, class Arithmetic, int Begin>
struct bare_packed_operands {
  static constexpr std::size_t count = plan_of<GraphBuilder>.products.size();
  static constexpr auto offsets = [] {
    std::array<std::ptrdiff_t, count + 1> all{};
    for (std::ptrdiff_t& offset : all) offset = -1;
    std::ptrdiff_t end = 0;
    if constexpr (Arithmetic::sums_as_tables) {
      constexpr auto& plan = plan_of<GraphBuilder>;
      for (int i = Begin + 1; i < detail::end_of_loop<GraphBuilder>(Begin); ++i) {
        const planned_command& command = plan.commands[static_cast<std::size_t>(i)];
        if (command.kind != planned_command::kind::product) continue;
        const planned_product& p = plan.products[static_cast<std::size_t>(command.index)];
        if (!detail::is_packed_in_loop<GraphBuilder, Arithmetic>(p)) continue;
        all[static_cast<std::size_t>(command.index)] = end;
        const std::int64_t bytes = p.type == element::f64 ? p.k * detail::packed_row<double>(p.n) * 8
                                                          : p.k * detail::packed_row<float>(p.n) * 4;
        end += static_cast<std::ptrdiff_t>(tapeless::detail::aligned(bytes, bare_alignment));
      }
    }
    all[count] = end;
    return all;
  }();
  static constexpr bool are_there = offsets[count] > 0;

  alignas(bare_alignment) std::byte bytes[are_there ? offsets[count] : 1];
};

}  // namespace tapeless::bare_kernels
