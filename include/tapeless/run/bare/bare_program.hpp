// SPDX-License-Identifier: BSL-1.0
// A plan as straight-line code: one command after the other, all that is known of them constant.
#pragma once

#include <utility>

#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_convolution.hpp>
#include <tapeless/run/bare/bare_fused_kernel.hpp>
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

/// A command's kernel, its operands, and whether the kernel is called.
template <class GraphBuilder, class Layout, auto Kind, int Index, int Family>
struct bare_command;
template <class GraphBuilder, class Layout, int Index>
struct bare_command<GraphBuilder, Layout, planned_command::kind::fused_kernel, Index, -1> {
  static constexpr auto parts = fused_parts_of<GraphBuilder, Layout, Index>();
  static constexpr bool is_called = detail::has_long_loops(plan_of<GraphBuilder>.fused_kernels[Index]);
  using kernel = bare_fused_kernel<kernel_key_of<GraphBuilder, Index>,
                                   shape_of<count_numbers(parts.planned)>(parts.planned)>;
};
template <class GraphBuilder, class Layout, int Index>
struct bare_command<GraphBuilder, Layout, planned_command::kind::product, Index, -1> {
  static constexpr auto parts = parts_of<GraphBuilder>(plan_of<GraphBuilder>.products[Index]);
  static constexpr bool is_called = detail::has_long_loops(parts.planned);
  using kernel = bare_product<shape_of<count_numbers(parts.planned)>(parts.planned),
                              is_called || constant_graph_of<GraphBuilder>.effects.size() != 0>;
};
template <class GraphBuilder, class Layout, int Index, int Family>
struct bare_command<GraphBuilder, Layout, planned_command::kind::of_family, Index, Family> {
  using planned = typename detail::family_at<Family, kernel_families>::type;
  static constexpr auto parts =
      parts_of<GraphBuilder>(plan_of<GraphBuilder>.families.template of<planned>()[Index]);
  static constexpr bool is_called = true;
  using kernel = bare_family<planned, shape_of<count_numbers(parts.planned)>(parts.planned)>;
};

/// A kernel as a function: one for all commands of the same shape. IsAligned says of each operand whether it
/// begins where vectors may.
template <class Kernel, bool... IsAligned, class... Operand>
[[gnu::noinline]] void call_bare_kernel(std::ptrdiff_t iteration, Operand*... operands) {
  std::byte* const all[] = {detail::aligned_where<IsAligned>(operands)...};
  Kernel::run(all, iteration);
}

template <class GraphBuilder, class Layout>
struct bare_program {
  static void run(const bare_memory& m) { run_here(m); }
  /// The same as a part of the function that calls it.
  [[gnu::always_inline]] static void run_here(const bare_memory& m) {
    bare_memory own = m;  // a copy, which stores do not change
    [[maybe_unused]] bare_locals<GraphBuilder, Layout> locals;
    if constexpr (has_locals<GraphBuilder>) own.locals = locals.bytes;
    run_from<0, static_cast<int>(plan_of<GraphBuilder>.commands.size())>(own, 0);
  }

 private:
  // In one function, whatever compilers think of its length: where a program is part of another function,
  // they see there what pointers point to, and what a kernel has written stays in registers for the next one.
  template <int First, int End>
  [[gnu::always_inline]] static void run_from(const bare_memory& m, std::ptrdiff_t iteration) {
    if constexpr (First < End) {
      constexpr planned_command command = plan_of<GraphBuilder>.commands[First];
      if constexpr (command.kind == planned_command::kind::loop_begin) {
        constexpr int end = detail::end_of_loop<GraphBuilder>(First);
        constexpr planned_loop loop = plan_of<GraphBuilder>.loops[static_cast<std::size_t>(command.index)];
        constexpr auto count = static_cast<std::ptrdiff_t>(loop.count);
        for (std::ptrdiff_t i = 0; i < count; ++i)
          run_from<First + 1, end>(m, loop.reversed ? count - 1 - i : i);
        run_from<end + 1, End>(m, iteration);
      } else {
        using command_type = bare_command<GraphBuilder, Layout, command.kind, command.index, command.family>;
        run_command<command_type>(m, iteration,
                                  std::make_integer_sequence<int, command_type::parts.operands.count>{});
        run_from<First + 1, End>(m, iteration);
      }
    }
  }

  template <class Command, int... Operand>
  [[gnu::always_inline]] static void run_command(const bare_memory& m, std::ptrdiff_t iteration,
                                                 std::integer_sequence<int, Operand...>) {
    if constexpr (Command::is_called) {
      call_bare_kernel<typename Command::kernel, is_aligned<Command, Operand>...>(
          iteration, begin_of_operand<Command, Operand>(m, iteration)...);
    } else {
      std::byte* const all[] = {begin_of_operand<Command, Operand>(m, iteration)...};
      Command::kernel::run(all, iteration);
    }
  }

  template <class Command, int Operand>
  [[gnu::always_inline]] static std::byte* begin_of_operand(const bare_memory& m, std::ptrdiff_t iteration) {
    constexpr bare_operand o = Command::parts.operands.all[Operand];
    return place_of<GraphBuilder, Layout, o.place.kind, o.place.index>(m) +
           (o.bytes + iteration * o.iteration_bytes);
  }
  template <class Command, int Operand>
  static constexpr bool is_aligned = [] {
    constexpr bare_operand o = Command::parts.operands.all[Operand];
    if constexpr (o.place.kind == storage::input || o.place.kind == storage::hyperparameter) {
      return false;
    } else {
      constexpr std::ptrdiff_t bytes =
          detail::offset_of<GraphBuilder, Layout, o.place.kind>(o.place.index) + o.bytes;
      return vector_bytes > 0 && (bytes | o.iteration_bytes) % bare_alignment == 0;
    }
  }();
};

}  // namespace tapeless::bare_kernels
