// SPDX-License-Identifier: BSL-1.0
// A plan as straight-line code: one command after the other, all that is known of them constant.
#pragma once

#include <utility>

#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_convolution.hpp>
#include <tapeless/run/bare/bare_fused_kernel.hpp>
#include <tapeless/run/bare/bare_locals.hpp>
#include <tapeless/run/bare/bare_pooling.hpp>
#include <tapeless/run/bare/bare_product.hpp>
#include <tapeless/run/bare/bare_special_functions.hpp>

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

/// The family at a place of a list.
template <int Place, class List>
struct family_at;
template <int Place, class First, class... F>
struct family_at<Place, family_list<First, F...>> : family_at<Place - 1, family_list<F...>> {};
template <class First, class... F>
struct family_at<0, family_list<First, F...>> {
  using type = First;
};

template <bool IsAligned, class T>
[[gnu::always_inline]] inline T* aligned_where(T* begin) {
  if constexpr (IsAligned) return aligned_for_vectors(begin);
  return begin;
}

}  // namespace detail

namespace detail {

/// The arithmetic of a program: that which its layout names, or own_arithmetic.
template <class Layout>
struct arithmetic_of_layout {
  using type = own_arithmetic;
};
template <class Layout>
  requires requires { typename Layout::arithmetic; }
struct arithmetic_of_layout<Layout> {
  using type = typename Layout::arithmetic;
};

/// Whether a product is one of those whose right operand tables pack once for all iterations of a loop.
template <class GraphBuilder, class Arithmetic, int Index>
constexpr bool is_packed() {
  if constexpr (Arithmetic::sums_as_tables) {
    constexpr auto& plan = plan_of<GraphBuilder>;
    constexpr planned_product p = plan.products[static_cast<std::size_t>(Index)];
    const storage kind = plan.place[static_cast<std::size_t>(p.b.base)].kind;
    constexpr int row = p.batch_rank, column = row + 1;
    for (int d = 0; d < p.batch_rank; ++d)
      if (p.batch[d] != 1) return false;
    if (is_half(p.type) || p.b.iteration_stride != 0 ||
        (kind != storage::parameter && kind != storage::input))
      return false;
    using value = computed_as<p.type>;
    bool is_in_loop = false;
    for (int i = 0; i < static_cast<int>(plan.commands.size()); ++i) {
      const planned_command& command = plan.commands[static_cast<std::size_t>(i)];
      if (command.kind == planned_command::kind::product && command.index == Index)
        is_in_loop = begin_of_loop<GraphBuilder>(i) >= 0;
    }
    return is_in_loop && is_packed_for_row({p.m, p.n, p.k, p.a.strides[row], p.a.strides[column],
                                            p.b.strides[row], p.b.strides[column]},
                                           Arithmetic::template width<value>, sizeof(value));
  } else {
    return false;
  }
}

}  // namespace detail

/// A command's kernel, its operands, whether the kernel is called, and the places that an open nest is told.
template <class GraphBuilder, class Layout, auto Kind, int Index, int Family>
struct bare_command;
template <class GraphBuilder, class Layout, int Index>
struct bare_command<GraphBuilder, Layout, planned_command::kind::fused_kernel, Index, -1> {
  static constexpr bool is_called = detail::has_long_loops(plan_of<GraphBuilder>.fused_kernels[Index]);
  static constexpr auto parts = fused_parts_of<GraphBuilder, Layout, Index>(is_called);
  static constexpr std::ptrdiff_t places = parts.places;
  using kernel = bare_fused_kernel<kernel_key_of<GraphBuilder, Index>,
                                   shape_of<count_numbers(parts.planned)>(parts.planned),
                                   typename detail::arithmetic_of_layout<Layout>::type>;
};
template <class GraphBuilder, class Layout, int Index>
struct bare_command<GraphBuilder, Layout, planned_command::kind::product, Index, -1> {
  static constexpr auto parts = parts_of<GraphBuilder>(plan_of<GraphBuilder>.products[Index]);
  static constexpr std::ptrdiff_t places = 0;
  static constexpr bool is_called = detail::has_long_loops(parts.planned);
  using arithmetic = typename detail::arithmetic_of_layout<Layout>::type;
  using kernel = bare_product<shape_of<count_numbers(parts.planned)>(parts.planned), arithmetic,
                              is_called || constant_graph_of<GraphBuilder>.effects.size() != 0,
                              detail::is_packed<GraphBuilder, arithmetic, Index>()>;
};
template <class GraphBuilder, class Layout, int Index, int Family>
struct bare_command<GraphBuilder, Layout, planned_command::kind::of_family, Index, Family> {
  using planned = typename detail::family_at<Family, kernel_families>::type;
  static constexpr auto parts =
      parts_of<GraphBuilder>(plan_of<GraphBuilder>.families.template of<planned>()[Index]);
  static constexpr std::ptrdiff_t places = 0;
  static constexpr bool is_called = true;
  using kernel = bare_family<planned, shape_of<count_numbers(parts.planned)>(parts.planned),
                             typename detail::arithmetic_of_layout<Layout>::type>;
};

/// A kernel as a function: one for all commands of the same shape. IsAligned says of each operand whether it
/// begins where vectors may.
template <class Kernel, bool... IsAligned, class... Operand>
[[gnu::noinline]] void call_bare_kernel(std::ptrdiff_t number, Operand*... operands) {
  std::byte* const all[] = {detail::aligned_where<IsAligned>(operands)...};
  Kernel::run(all, number);
}

template <class GraphBuilder, class Layout>
struct bare_program {
  static void run(const bare_memory& m) { run_here(m); }
  /// The same as a part of the function that calls it.
  [[gnu::always_inline]] static void run_here(const bare_memory& m) {
    bare_memory own = m;  // a copy, which stores do not change
    [[maybe_unused]] bare_locals<GraphBuilder, Layout> locals;
    if constexpr (has_locals<GraphBuilder>) own.locals = locals.bytes;
    constexpr int count = static_cast<int>(plan_of<GraphBuilder>.commands.size());
    run_all<0>(own, 0, std::make_integer_sequence<int, count>{});
  }
  /// One command, which neither begins nor ends a loop, in an iteration of the loop that it is in.
  /// Precondition: m.locals is where all buffers have room.
  template <int Number>
  static void run_command(const bare_memory& m, std::ptrdiff_t iteration) {
    run_at<Number, Number>(m, iteration);
  }

 private:
  // In one function, whatever compilers think of its length: where a program is part of another function,
  // they see there what pointers point to, and what a kernel has written stays in registers for the next one.
  // One command does not contain the next: compilers optimize each function before they inline it.

  /// Commands First, First + 1, ..., but for those within loops among them.
  template <int First, int... Behind>
  [[gnu::always_inline]] static void run_all(const bare_memory& m, std::ptrdiff_t iteration,
                                             std::integer_sequence<int, Behind...>) {
    [[maybe_unused]] const bool in_order[] = {true, run_at<First, First + Behind>(m, iteration)...};
  }
  template <int First, int Number>
  [[gnu::always_inline]] static bool run_at(const bare_memory& m, std::ptrdiff_t iteration) {
    constexpr planned_command command = plan_of<GraphBuilder>.commands[Number];
    if constexpr (detail::begin_of_loop<GraphBuilder>(Number) >= First) {
    } else if constexpr (command.kind == planned_command::kind::loop_begin) {
      constexpr int inside = detail::end_of_loop<GraphBuilder>(Number) - Number - 1;
      constexpr planned_loop loop = plan_of<GraphBuilder>.loops[static_cast<std::size_t>(command.index)];
      constexpr auto count = static_cast<std::ptrdiff_t>(loop.count);
      for (std::ptrdiff_t i = 0; i < count; ++i)
        run_all<Number + 1>(m, loop.reversed ? count - 1 - i : i, std::make_integer_sequence<int, inside>{});
    } else {
      using command_type = bare_command<GraphBuilder, Layout, command.kind, command.index, command.family>;
      run_kernel<command_type>(m, iteration,
                               std::make_integer_sequence<int, command_type::parts.operands.count>{});
    }
    return true;
  }

  template <class Command, int... Operand>
  [[gnu::always_inline]] static void run_kernel(const bare_memory& m, std::ptrdiff_t iteration,
                                                std::integer_sequence<int, Operand...>) {
    static constexpr auto& operands = Command::parts.operands.all;
    static constexpr std::ptrdiff_t offsets[] = {
        detail::offset_of<GraphBuilder, Layout>(operands[Operand].place) + operands[Operand].bytes..., 0};
    static constexpr bool local[] = {is_local(operands[Operand].place)..., false};
    if constexpr (Command::is_called) {
      call_bare_kernel<typename Command::kernel, is_aligned(operands[Operand], offsets[Operand])...>(
          Command::places > 0 ? Command::places : iteration,
          begin_of(m, operands[Operand], offsets[Operand], local[Operand], iteration)...);
    } else {
      std::byte* const all[] = {
          begin_of(m, operands[Operand], offsets[Operand], local[Operand], iteration)...};
      Command::kernel::run(all, iteration);
    }
  }

  [[gnu::always_inline]] static std::byte* begin_of(const bare_memory& m, const bare_operand& o,
                                                    std::ptrdiff_t offset, bool is_local,
                                                    std::ptrdiff_t iteration) {
    return place_of(m, o.place, offset, is_local) + iteration * o.iteration_bytes;
  }
  static constexpr bool is_local(const placement& p) {
    return p.kind == storage::arena && detail::is_local<GraphBuilder>[static_cast<std::size_t>(p.index)];
  }
  static constexpr bool is_aligned(const bare_operand& o, std::ptrdiff_t offset) {
    if (o.place.kind == storage::input || o.place.kind == storage::hyperparameter) return false;
    return vector_bytes > 0 && (offset | o.iteration_bytes) % bare_alignment == 0;
  }
};

}  // namespace tapeless::bare_kernels
