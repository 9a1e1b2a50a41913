// SPDX-License-Identifier: BSL-1.0
// A plan as straight-line code: one command after the other, all that is known of them constant.
#pragma once

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

// A call costs nothing beside long loops, and in a function of their own compilers have all registers for
// them.
constexpr bool has_long_loops(const planned_fused_kernel& p) {
  std::int64_t elements = 1;
  for (int d = 0; d < p.rank; ++d) elements *= p.extents[d];
  return elements * (p.instructions + 1) >= 512;
}
constexpr bool has_long_loops(const planned_product& p) {
  std::int64_t products = p.m * p.n * p.k;
  for (int d = 0; d < p.batch_rank; ++d) products *= p.batch[d];
  return products >= 1024;
}

}  // namespace detail

template <class GraphBuilder, class Layout>
struct bare_program {
  static void run(const bare_memory& m) {
    const bare_memory own = m;  // a copy, which stores do not change
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
        run_command<command.kind, command.index, command.family>(m, iteration);
        run_from<First + 1, End>(m, iteration);
      }
    }
  }

  template <auto Kind, int Index, int Family>
  [[gnu::always_inline]] static void run_command(const bare_memory& m, std::ptrdiff_t iteration) {
    constexpr auto& plan = plan_of<GraphBuilder>;
    if constexpr (Kind == planned_command::kind::fused_kernel) {
      run_kernel<bare_fused_kernel<GraphBuilder, Layout, Index>,
                 detail::has_long_loops(plan.fused_kernels[Index])>(m, iteration);
    } else if constexpr (Kind == planned_command::kind::product) {
      run_kernel<bare_product<GraphBuilder, Layout, Index>, detail::has_long_loops(plan.products[Index])>(
          m, iteration);
    } else {
      static_assert(Kind == planned_command::kind::of_family);
      run_kernel<bare_family<GraphBuilder, Layout, Index, Family>, true>(m, iteration);
    }
  }
  template <class Kernel, bool IsLong>
  [[gnu::always_inline]] static void run_kernel(const bare_memory& m, std::ptrdiff_t iteration) {
    if constexpr (IsLong) {
      run_apart<Kernel>(m, iteration);
    } else {
      Kernel::run(m, iteration);
    }
  }
  template <class Kernel>
  [[gnu::noinline]] static void run_apart(const bare_memory& m, std::ptrdiff_t iteration) {
    Kernel::run(m, iteration);
  }
};

}  // namespace tapeless::bare_kernels
