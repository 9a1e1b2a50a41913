// SPDX-License-Identifier: BSL-1.0
// The CPU policy with straight-line code for values of run-time extents.
#pragma once

#include <cstddef>

#include <tapeless/run/cpu/cpu.hpp>

namespace tapeless {

/// The policy tl::cpu with more straight-line code. Static programs of up to some hundred microseconds have
/// it. One with run-time extents is compiled so once more for each of the values At,
/// straight_line_at<1, 32>{}, and runs as that function where it is called with them. A number is the value
/// of a model's only run-time extent; several are all named:
/// straight_line_at<extent_values{{"batch", 1}, {"time", 20}}>{}. Other values go through tables, and updates
/// of gradients that were added up.
///
/// Both give the same bits.
template <extent_values... At>
struct straight_line_at {
  static_assert((At.is_sound() && ...),
                "tapeless: straight_line_at has values of run-time extents, each 1 or more, and for four "
                "names at most");

  int threads = 0;              ///< as those of tl::cpu
  bool flush_denormals = true;  ///< as in tl::cpu
  bool winograd = true;         ///< as in tl::cpu

  using program = cpu::program;
  using memory = cpu::memory;
  using resources = cpu::resources;

  /// The straight-line code of a program, of which there is so much at most: static ones have one function.
  static constexpr std::size_t most_lines = sizeof...(At) > 0 ? sizeof...(At) : 1;
  template <class GraphBuilder>
  using in_line =
      cpu_kernels::straight_lines<GraphBuilder, cpu_kernels::straight_line_limits::by_choice, At...>;
  template <class GraphBuilder>
  static constexpr cpu_kernels::straight_line_kernels<cpu_kernels::kernel_table> kernels =
      cpu_kernels::straight_line_kernels_of<GraphBuilder, in_line<GraphBuilder>,
                                            cpu_kernels::tables_with_loop_functions>;
  /// Its commands one by one, of a static program.
  template <class GraphBuilder>
  static constexpr auto commands =
      cpu_kernels::straight_line_commands_of<GraphBuilder, in_line<GraphBuilder>>();
};

/// The CPU policy with straight-line code where all extents are known while compiling, and for one sample
/// where one extent is not.
using straight_line = straight_line_at<1>;

}  // namespace tapeless
