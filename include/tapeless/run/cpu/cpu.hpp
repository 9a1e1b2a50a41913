// SPDX-License-Identifier: BSL-1.0
// The CPU policy: what a trainer or function is told to run on.
#pragma once

#include <cstddef>

#include <tapeless/run/cpu/cpu_by_tables.hpp>
#include <tapeless/run/cpu/straight_line/straight_line_program.hpp>

namespace tapeless {

/// Runs programs on the CPU. The same program on the same inputs gives the same bits, whatever the number of
/// threads.
///
/// A program whose extents are all known while compiling, and that has little to compute, is straight-line
/// code: one function with its commands one after the other, constant extents and places, on the thread that
/// calls it. tl::straight_line_at has such code for values of run-time extents, too, tl::cpu_by_tables none.
///
/// Everything else goes through tables of kernels, with Eigen's products and vectors, on threads. All
/// trainers and functions share the threads of the process, which sleep between calls: one at a time has
/// them, the others work on the threads that they are called on. A kernel is split where each thread gets
/// some 10 microseconds of work at least, in programs that mostly consist of such kernels. In a forked child
/// threads are started again by the first call that takes them.
struct cpu {
  /// At most so many threads, up to 4096, the calling one among them; 0 stands for as many as the process may
  /// use cores. Where the system starts fewer, there are fewer.
  int threads = 0;
  /// Steps, and other programs that update parameters or states, have zero in place of denormal numbers (in
  /// float those below 1.2e-38): moments that fade into them would make a step several times as long. The
  /// thread's mode is as before afterwards. Functions, predict and evaluate compute such numbers, and
  /// small static programs that change no states of the rule. On x86-64 and aarch64.
  bool flush_denormals = true;
  /// Convolutions of many channels by kernels of 3 x 3, without stride, dilation and groups, are computed by
  /// Winograd's algorithm F(2x2, 3x3), with 16 products in place of 36. An infinity
  /// may give NaN where its products would give an infinity; the guide on numbers has more on errors.
  bool winograd = true;

  using program = cpu_kernels::straight_line_program<cpu_by_tables::program>;
  using memory = cpu_by_tables::memory;
  using resources = cpu_by_tables::resources;

  /// The straight-line code of a program, of which there is so much at most.
  static constexpr std::size_t most_lines = 1;
  template <class GraphBuilder>
  using in_line = cpu_kernels::straight_lines<GraphBuilder, cpu_kernels::straight_line_limits::by_default>;
  template <class GraphBuilder>
  static constexpr cpu_kernels::straight_line_kernels<cpu_kernels::kernel_table> kernels =
      cpu_kernels::straight_line_kernels_of<GraphBuilder, in_line<GraphBuilder>,
                                            cpu_kernels::tables_with_loop_functions>;
  /// Its commands one by one.
  template <class GraphBuilder>
  static constexpr auto commands =
      cpu_kernels::straight_line_commands_of<GraphBuilder, in_line<GraphBuilder>>();

  /// The same without straight-line code.
  constexpr operator cpu_by_tables() const { return {threads, flush_denormals, winograd}; }
};

}  // namespace tapeless
