// SPDX-License-Identifier: BSL-1.0
// A plan as straight-line code: one command after the other, all that is known of them constant.
#pragma once

#include <tapeless/run/bare/bare_axis_loops.hpp>
#include <tapeless/run/bare/bare_fused_kernel.hpp>
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

}  // namespace detail

template <class GraphBuilder, class Layout>
struct bare_program {
  static void run(const bare_memory& m) {
    run_from<0, static_cast<int>(plan_of<GraphBuilder>.commands.size())>(m, 0);
  }

 private:
  template <int First, int End>
  static void run_from(const bare_memory& m, std::ptrdiff_t iteration) {
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
  static void run_command(const bare_memory& m, std::ptrdiff_t iteration) {
    if constexpr (Kind == planned_command::kind::fused_kernel) {
      bare_fused_kernel<GraphBuilder, Layout, Index>::run(m, iteration);
    } else if constexpr (Kind == planned_command::kind::product) {
      bare_product<GraphBuilder, Layout, Index>::run(m, iteration);
    } else {
      static_assert(Kind == planned_command::kind::of_family);
      bare_family<GraphBuilder, Layout, Index, Family>::run(m, iteration);
    }
  }
};

}  // namespace tapeless::bare_kernels
