// SPDX-License-Identifier: BSL-1.0
// Programs as one function each: what a table of kernels is to programs that go through tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tapeless/run/bare/bare_program.hpp>
#include <tapeless/run/cpu/straight_line/straight_lines.hpp>
#include <tapeless/run/cpu/straight_line/tensor_block.hpp>

namespace tapeless::cpu_kernels {

/// All of a program: inputs, parameters, states, the numbers of a run and the arena.
using straight_line_function = void (*)(const std::byte* const*, std::byte*, std::byte*, const double*,
                                        std::byte*);
/// One of its commands, in an iteration of its loop.
using straight_line_command = void (*)(const bare_kernels::bare_memory&, std::ptrdiff_t iteration);

/// Where straight-line code has a buffer of the program's plan that is read after a run.
struct placed_output {
  std::size_t buffer = 0;
  std::int64_t offset = 0;
};

/// All of a program as one function, with these values of its plan's extents; -1 where one is not needed.
struct straight_line_code {
  straight_line_function run = nullptr;
  array_view<const std::int64_t> extents = {};
  std::int64_t arena_bytes = 0;
  array_view<const placed_output> outputs = {};
};

/// The kernels of a program, and all of it as one function where it is straight-line code. A static program
/// that is has no others.
template <class Table>
struct straight_line_kernels : Table {
  array_view<const straight_line_code> code = {};
  bool updates = false;  // parameters or states
  expected_tensors parameters = {}, states = {};
};

namespace detail {

// One function, but for kernels whose loops are long. None of these overlaps another: what a kernel has
// written is still in a register for the next one.
template <class GraphBuilder>
[[gnu::flatten]] void run_straight_line(const std::byte* const* inputs, std::byte* __restrict parameters,
                                        std::byte* __restrict states, const double* __restrict numbers,
                                        std::byte* __restrict arena) {
  bare_kernels::bare_program<GraphBuilder, straight_line_layout<GraphBuilder>>::run(
      {inputs, parameters, states, numbers, arena});
}

/// The same as a part of what calls it, where it is short.
template <class GraphBuilder>
[[gnu::always_inline]] inline void run_where_called(const std::byte* const* inputs,
                                                    std::byte* __restrict parameters,
                                                    std::byte* __restrict states,
                                                    const double* __restrict numbers,
                                                    std::byte* __restrict arena) {
  if constexpr (bare_kernels::detail::is_short<GraphBuilder>()) {
    bare_kernels::bare_program<GraphBuilder, straight_line_layout<GraphBuilder>>::run_here(
        {inputs, parameters, states, numbers, arena});
  } else {
    run_straight_line<GraphBuilder>(inputs, parameters, states, numbers, arena);
  }
}

template <class GraphBuilder>
constexpr std::size_t count_placed_outputs() {
  std::size_t count = 0;
  for (const graph_output& o : constant_graph_of<GraphBuilder>.outputs)
    count += plan_of<GraphBuilder>.place[static_cast<std::size_t>(o.node)].kind == storage::arena ? 1 : 0;
  return count;
}
template <class GraphBuilder, class Line>
inline constexpr auto placed_outputs_of = [] {
  std::array<placed_output, count_placed_outputs<GraphBuilder>()> all{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < constant_graph_of<GraphBuilder>.outputs.size(); ++i) {
    const int node = constant_graph_of<GraphBuilder>.outputs[i].node;
    const placement own = plan_of<GraphBuilder>.place[static_cast<std::size_t>(node)];
    if (own.kind == storage::arena)
      all[count++] = {static_cast<std::size_t>(own.index), offsets_of_outputs<Line>()[i]};
  }
  return all;
}();

template <class GraphBuilder, class Lines, std::size_t... I>
constexpr auto code_of_lines(std::index_sequence<I...>) {
  return std::array<straight_line_code, sizeof...(I)>{
      straight_line_code{&run_straight_line<typename Lines::template builder<I>>, Lines::template values<I>(),
                         straight_line_layout<typename Lines::template builder<I>>::arena.back(),
                         placed_outputs_of<GraphBuilder, typename Lines::template builder<I>>}...};
}
template <class GraphBuilder, class Lines>
inline constexpr auto code_of = code_of_lines<GraphBuilder, Lines>(std::make_index_sequence<Lines::count>{});

// nvcc reads the source once more for the device, where these never run.
template <class GraphBuilder, class Lines, class Tables>
constexpr straight_line_kernels<typename Tables::kernel_table> find_straight_line_kernels() {
  using table = typename Tables::kernel_table;
  straight_line_kernels<table> k{};
#ifndef __CUDA_ARCH__
  if constexpr (Lines::count == 0 || !Lines::is_static)
    static_cast<table&>(k) = Tables::template kernels<GraphBuilder>;
  if constexpr (Lines::count > 0) {
    using layout = straight_line_layout<GraphBuilder>;
    k.code = code_of<GraphBuilder, Lines>;
    k.parameters = {layout::parameters, layout::parameter_bytes};
    k.states = {layout::states, layout::state_bytes};
    k.updates = constant_graph_of<GraphBuilder>.effects.size() != 0;
    k.flushes_denormals = flushes_denormals_in<GraphBuilder>();
  }
#endif
  return k;
}

template <class GraphBuilder, int Number>
constexpr straight_line_command command_of() {
  constexpr auto kind = plan_of<GraphBuilder>.commands[Number].kind;
  if constexpr (kind == planned_command::kind::loop_begin || kind == planned_command::kind::loop_end)
    return nullptr;
  else
    return &bare_kernels::bare_program<GraphBuilder,
                                       straight_line_layout<GraphBuilder>>::template run_command<Number>;
}
template <class GraphBuilder, int... Number>
constexpr auto make_commands(std::integer_sequence<int, Number...>) {
  return std::array<straight_line_command, sizeof...(Number)>{command_of<GraphBuilder, Number>()...};
}

template <class GraphBuilder>
inline constexpr auto commands_of = make_commands<GraphBuilder>(
    std::make_integer_sequence<int, static_cast<int>(plan_of<GraphBuilder>.commands.size())>{});

}  // namespace detail

/// The kernels of a program on a policy that has these lines, and those of Tables beside them.
template <class GraphBuilder, class Lines, class Tables>
inline constexpr auto straight_line_kernels_of =
    detail::find_straight_line_kernels<GraphBuilder, Lines, Tables>();

/// The commands of a static program with such code one by one, null where loops begin and end: for who
/// observes a run. Nobody else compiles them. There are none where tables can be observed.
template <class GraphBuilder, class Lines>
constexpr array_view<const straight_line_command> straight_line_commands_of() {
  if constexpr (Lines::is_static && Lines::count > 0) return detail::commands_of<GraphBuilder>;
  return {};
}

}  // namespace tapeless::cpu_kernels
