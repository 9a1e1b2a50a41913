// SPDX-License-Identifier: BSL-1.0
// A plan as straight-line code: one command after the other, all that is known of them constant.
#pragma once

#include <utility>

#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_convolution.hpp>
#include <tapeless/run/bare/bare_fused_kernel.hpp>
#include <tapeless/run/bare/bare_locals.hpp>
#include <tapeless/run/bare/bare_packed_operands.hpp>
#include <tapeless/run/bare/bare_places.hpp>
#include <tapeless/run/bare/bare_pooling.hpp>
#include <tapeless/run/bare/bare_product.hpp>
#include <tapeless/run/bare/bare_special_functions.hpp>

namespace tapeless::bare_kernels {

namespace detail {

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
  static constexpr bool is_waited_for = is_called || constant_graph_of<GraphBuilder>.effects.size() != 0;
  using kernel =
      bare_product<shape_of<count_numbers(parts.planned)>(parts.planned), arithmetic, is_waited_for>;
};
/// A product of a loop that packs its right operand to this place; -1 where the loop has not done so.
template <class Command, std::ptrdiff_t Offset>
struct bare_command_of_packed : Command {
  static constexpr auto parts = [] {
    auto all = Command::parts;
    access& b = all.planned.b;
    if (Offset < 0) return all;
    b.base = all.operands.count++;
    all.operands.all[b.base] = {.bytes = Offset, .is_packed = true};
    b.offset = 0;
    const int row = all.planned.batch_rank;
    b.strides[row] = detail::packed_row<computed_as<Command::parts.planned.type>>(all.planned.n);
    b.strides[row + 1] = 1;
    return all;
  }();
  using kernel = bare_product<shape_of<count_numbers(parts.planned)>(parts.planned),
                              typename Command::arithmetic, Command::is_waited_for, true>;
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

/// Commands of a program, whose operands are where Places finds them.
template <class GraphBuilder, class Layout, class Places = places_in_blocks<GraphBuilder, Layout>>
struct bare_program {
  using memory = typename Places::memory;

  static void run(const memory& m) { run_here(m); }
  /// The same as a part of the function that calls it.
  [[gnu::always_inline]] static void run_here(const memory& m) {
    memory own = m;  // a copy, which stores do not change
    [[maybe_unused]] bare_locals<GraphBuilder, Layout> locals;
    if constexpr (has_locals<GraphBuilder>) own.locals = locals.bytes;
    constexpr int count = static_cast<int>(plan_of<GraphBuilder>.commands.size());
    run_all<0>(own, 0, std::make_integer_sequence<int, count>{});
  }
  /// One command, which neither begins nor ends a loop, in an iteration of the loop that it is in.
  /// Precondition: m.locals is where all buffers have room.
  template <int Number>
  static void run_command(const memory& m, std::ptrdiff_t iteration) {
    run_at<Number, Number, false>(m, iteration);
  }
  /// The loop that command Number begins, with so many iterations.
  template <int Number>
  [[gnu::always_inline]] static void run_loop(const memory& m, std::ptrdiff_t count) {
    constexpr int inside = detail::end_of_loop<GraphBuilder>(Number) - Number - 1;
    constexpr int index = plan_of<GraphBuilder>.commands[Number].index;
    constexpr bool reversed = plan_of<GraphBuilder>.loops[static_cast<std::size_t>(index)].reversed;
    const auto run_iterations = [&](const memory& own) TAPELESS_INLINED {
      for (std::ptrdiff_t i = 0; i < count; ++i)
        run_all<Number + 1>(own, reversed ? count - 1 - i : i, std::make_integer_sequence<int, inside>{});
    };
    if constexpr (packed_in<Number>::are_there) {
      packed_in<Number> packed;
      memory own = m;
      own.packed = packed.bytes;
      pack_all<Number + 1>(own, std::make_integer_sequence<int, inside>{});
      run_iterations(own);
    } else {
      run_iterations(m);
    }
  }

 private:
  // In one function, whatever compilers think of its length: where a program is part of another function,
  // they see there what pointers point to, and what a kernel has written stays in registers for the next one.
  // One command does not contain the next: compilers optimize each function before they inline it.

  /// Commands First, First + 1, ..., but for those within loops among them.
  template <int First, int... Behind>
  [[gnu::always_inline]] static void run_all(const memory& m, std::ptrdiff_t iteration,
                                             std::integer_sequence<int, Behind...>) {
    [[maybe_unused]] const bool in_order[] = {true, run_at<First, First + Behind, true>(m, iteration)...};
  }
  template <int First, int Number, bool IsInLoop>
  [[gnu::always_inline]] static bool run_at(const memory& m, std::ptrdiff_t iteration) {
    constexpr planned_command command = plan_of<GraphBuilder>.commands[Number];
    if constexpr (detail::begin_of_loop<GraphBuilder>(Number) >= First) {
    } else if constexpr (command.kind == planned_command::kind::loop_begin) {
      constexpr planned_loop loop = plan_of<GraphBuilder>.loops[static_cast<std::size_t>(command.index)];
      run_loop<Number>(m, static_cast<std::ptrdiff_t>(loop.count));
    } else {
      using command_type = bare_command<GraphBuilder, Layout, command.kind, command.index, command.family>;
      constexpr std::ptrdiff_t packed = packed_offset<Number>;
      if constexpr (packed < 0) {
        run_kernel<command_type>(m, iteration);
      } else {
        run_kernel<bare_command_of_packed<command_type, IsInLoop ? packed : -1>>(m, iteration);
      }
    }
    return true;
  }

  // The memory for what a loop packs, and where an operand of a command is in it; -1 without one.
  template <int Begin>
  using packed_in =
      bare_packed_operands<GraphBuilder, typename detail::arithmetic_of_layout<Layout>::type, Begin>;
  template <int Number>
  static constexpr std::ptrdiff_t packed_offset = [] {
    constexpr planned_command command = plan_of<GraphBuilder>.commands[Number];
    constexpr int begin = detail::begin_of_loop<GraphBuilder>(Number);
    if constexpr (command.kind == planned_command::kind::product && begin >= 0) {
      return packed_in<begin>::offsets[static_cast<std::size_t>(command.index)];
    } else {
      return std::ptrdiff_t{-1};
    }
  }();
  template <int First, int... Behind>
  [[gnu::always_inline]] static void pack_all(const memory& m, std::integer_sequence<int, Behind...>) {
    (pack<First + Behind>(m), ...);
  }
  template <int Number>
  [[gnu::always_inline]] static void pack(const memory& m) {
    if constexpr (packed_offset<Number> >= 0) {
      constexpr planned_command command = plan_of<GraphBuilder>.commands[Number];
      using command_type = bare_command<GraphBuilder, Layout, command.kind, command.index, command.family>;
      static constexpr access b = command_type::parts.planned.b;
      static constexpr auto operand = Places::find(command_type::parts.operands.all[b.base]);
      command_type::kernel::pack(Places::begin_of(m, operand), m.packed + packed_offset<Number>);
    }
  }

  template <class Command>
  [[gnu::always_inline]] static void run_kernel(const memory& m, std::ptrdiff_t iteration) {
    run_kernel<Command>(m, iteration, std::make_integer_sequence<int, Command::parts.operands.count>{});
  }
  template <class Command, int... Operand>
  [[gnu::always_inline]] static void run_kernel(const memory& m, std::ptrdiff_t iteration,
                                                std::integer_sequence<int, Operand...>) {
    static constexpr auto& operands = Command::parts.operands.all;
    static constexpr typename Places::found found[] = {Places::find(operands[Operand])..., {}};
    if constexpr (Command::is_called) {
      call_bare_kernel<typename Command::kernel, found[Operand].is_aligned...>(
          Command::places > 0 ? Command::places : iteration,
          begin_of(m, operands[Operand], found[Operand], iteration)...);
    } else {
      std::byte* const all[] = {begin_of(m, operands[Operand], found[Operand], iteration)...};
      Command::kernel::run(all, iteration);
    }
  }

  [[gnu::always_inline]] static std::byte* begin_of(const memory& m, const bare_operand& o,
                                                    const typename Places::found& f,
                                                    std::ptrdiff_t iteration) {
    if (o.is_packed) return m.packed + o.bytes;
    return Places::begin_of(m, f) + iteration * o.iteration_bytes;
  }
};

}  // namespace tapeless::bare_kernels
