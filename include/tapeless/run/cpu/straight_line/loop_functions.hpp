// SPDX-License-Identifier: BSL-1.0
// Loops as one function each, in programs that go through tables otherwise: their number of iterations may be
// known at run time only, what one of them does is known while compiling, and is little.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tapeless/run/bare/bare_program.hpp>
#include <tapeless/run/common/loop_function.hpp>
#include <tapeless/run/cpu/straight_line/straight_line_plan.hpp>

namespace tapeless::cpu_kernels {

/// The most that becomes a loop's function, of one iteration. Beyond that to launch kernels takes little
/// beside them.
struct loop_function_limits {
  static constexpr int commands = 32;
  static constexpr std::int64_t steps = straight_line_limits::by_default / 8;
};

namespace detail {

constexpr bool is_literal(const access& a, int strides) {
  for (int d = 0; d < strides; ++d)
    if (a.strides[d] < 0) return false;
  return a.offset >= 0 && a.iteration_stride >= 0;
}

/// Whether all extents and strides of a command are known.
template <class Plan>
constexpr bool is_known(const Plan& plan, const planned_fused_kernel& p) {
  for (int d = 0; d < p.rank; ++d)
    if (p.extents[d] <= 0) return false;
  for (int k = 0; k < p.stores; ++k)
    if (!is_literal(plan.stores[static_cast<std::size_t>(p.first_store + k)].place, p.rank)) return false;
  for (int k = 0; k < p.loads; ++k)
    if (!is_literal(plan.loads[static_cast<std::size_t>(p.first_load + k)].place, p.rank)) return false;
  return true;
}
constexpr bool is_known(const planned_product& p) {
  for (int d = 0; d < p.batch_rank; ++d)
    if (p.batch[d] <= 0) return false;
  const int strides = p.batch_rank + 2;
  return p.m > 0 && p.n > 0 && p.k > 0 && is_literal(p.a, strides) && is_literal(p.b, strides) &&
         is_literal(p.c, strides);
}

/// Whether the loop that a command begins is a function.
template <class GraphBuilder>
constexpr bool is_loop_function(int begin) {
  constexpr auto& plan = plan_of<GraphBuilder>;
  std::int64_t steps = 0;
  int s = begin + 1;
  for (; plan.commands[static_cast<std::size_t>(s)].kind != planned_command::kind::loop_end; ++s) {
    const planned_command& command = plan.commands[static_cast<std::size_t>(s)];
    const auto i = static_cast<std::size_t>(command.index);
    if (command.kind == planned_command::kind::fused_kernel) {
      const planned_fused_kernel& p = plan.fused_kernels[i];
      if (!is_known(plan, p)) return false;
      steps += product_of(p.extents, p.rank, {});  // of what is only copied, too
    } else if (command.kind != planned_command::kind::product || !is_known(plan.products[i])) {
      return false;
    }
    steps += steps_of(plan, command, {});
  }
  return s > begin + 1 && s - begin - 1 <= loop_function_limits::commands &&
         steps <= loop_function_limits::steps;
}

/// By command: whether it is a part of a loop's function, or its begin or end.
template <class GraphBuilder>
inline constexpr auto is_in_loop_function = [] {
  constexpr auto& commands = plan_of<GraphBuilder>.commands;
  std::array<bool, commands.size() + 1> all{};
#ifndef __CUDACC__
  for (std::size_t s = 0; s < commands.size(); ++s) {
    if (commands[s].kind != planned_command::kind::loop_begin) continue;
    const bool is_function = is_loop_function<GraphBuilder>(static_cast<int>(s));
    for (; commands[s].kind != planned_command::kind::loop_end; ++s) all[s] = is_function;
    all[s] = is_function;
  }
#endif
  return all;
}();

/// Operands are wherever their program has them.
struct layout_of_loop {
  using of_loop = void;
  struct nowhere {
    constexpr std::int64_t operator[](std::size_t) const { return 0; }
  };
  static constexpr nowhere parameters{}, states{}, arena{};
  using arithmetic = arithmetic_of_tables;
};

template <class GraphBuilder, int Begin>
[[gnu::flatten]] void run_loop(std::byte* const* begin, std::ptrdiff_t iterations) {
  using places = bare_kernels::places_of_loop<GraphBuilder, Begin>;
  std::byte* own[places::count + 1];  // which stores do not change
  for (std::size_t k = 0; k < places::count; ++k) own[k] = begin[k];
  alignas(bare_kernels::bare_alignment) std::byte locals[places::local_bytes + 1];
  bare_kernels::bare_program<GraphBuilder, layout_of_loop, places>::template run_loop<Begin>({own, locals},
                                                                                             iterations);
}

template <class GraphBuilder, int Loop>
constexpr loop_function loop_function_of() {
  constexpr int begin = [] {
    constexpr auto& commands = plan_of<GraphBuilder>.commands;
    int s = 0;
    while (commands[static_cast<std::size_t>(s)].kind != planned_command::kind::loop_begin ||
           commands[static_cast<std::size_t>(s)].index != Loop)
      ++s;
    return s;
  }();
  if constexpr (!is_in_loop_function<GraphBuilder>[begin]) {
    return {};
  } else {
    using places = bare_kernels::places_of_loop<GraphBuilder, begin>;
    return {&run_loop<GraphBuilder, begin>, {&places::all[0], places::count}};
  }
}
template <class GraphBuilder, int... Loop>
constexpr auto make_loop_functions(std::integer_sequence<int, Loop...>) {
  return std::array<loop_function, sizeof...(Loop)>{loop_function_of<GraphBuilder, Loop>()...};
}

}  // namespace detail

/// The functions of a program's loops by their numbers; without `run` where a loop has none.
template <class GraphBuilder>
inline constexpr auto loop_functions_of = detail::make_loop_functions<GraphBuilder>(
    std::make_integer_sequence<int, static_cast<int>(plan_of<GraphBuilder>.loops.size())>{});

}  // namespace tapeless::cpu_kernels
