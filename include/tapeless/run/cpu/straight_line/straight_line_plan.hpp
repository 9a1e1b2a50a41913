// SPDX-License-Identifier: BSL-1.0
// Which plans run as straight-line code on the CPU, and where such code finds its operands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/plan/plan.hpp>
#include <tapeless/run/bare/bare_program.hpp>
#include <tapeless/run/common/order_of_convolutions.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/run/cpu/convolution/winograd_blocks.hpp>
#include <tapeless/run/cpu/straight_line/arithmetic_of_tables.hpp>

namespace tapeless::cpu_kernels {

/// The most that becomes straight-line code: more commands take long to compile, and where there are more
/// steps, to go through tables takes little beside them, and threads help.
struct straight_line_limits {
  static constexpr int commands = 64;
  // Steps are multiplications, or instructions of fused kernels. By default so many as take some 20
  // microseconds: beyond that another thread helps, which straight-line code does not take.
  static constexpr std::int64_t by_default =
      std::int64_t{1 << 14} * (bare_kernels::vector_bytes < 16 ? 16 : bare_kernels::vector_bytes);
  static constexpr std::int64_t by_choice = 1 << 20;
};

namespace detail {

/// The sizes in bytes of a graph's parameters or states by their numbers; 0 of those that it does not have.
template <auto Number, std::size_t N, class Nodes>
constexpr std::array<std::int64_t, N> sizes_of_leaves(const Nodes& nodes, family kind) {
  std::array<std::int64_t, N> bytes{};
  for (const node& n : nodes) {
    if (n.op->kind != kind) continue;
    std::int64_t size = static_cast<std::int64_t>(size_of(n.type));
    for (int d = 0; d < n.rank; ++d) size *= n.shape[d];
    bytes[static_cast<std::size_t>(Number(n))] = size;
  }
  return bytes;
}
template <auto Number, class Nodes>
constexpr std::size_t count_leaves(const Nodes& nodes, family kind) {
  std::size_t count = 0;
  for (const node& n : nodes)
    if (n.op->kind == kind && static_cast<std::size_t>(Number(n)) >= count)
      count = static_cast<std::size_t>(Number(n)) + 1;
  return count;
}

/// Offsets in a parameter_memory, from its first tensor on.
template <std::size_t N>
constexpr std::array<std::int64_t, N + 1> offsets_of(const std::array<std::int64_t, N>& bytes) {
  std::array<std::int64_t, N + 1> offsets{};
  for (std::size_t i = 0; i < N; ++i) offsets[i + 1] = offsets[i] + tapeless::detail::aligned(bytes[i]);
  return offsets;
}

}  // namespace detail

/// How many parameters the model of a program has.
template <class GraphBuilder>
inline constexpr std::size_t parameters_of_program = detail::count_leaves<&parameter_number>(
    constant_graph_of<lower<typename GraphBuilder::model>>.nodes, family::parameter);

/// Where a program's operands are: tensors of parameters and of states each in one block of memory, as a
/// trainer has them. Whoever names it has all of it laid out.
template <class GraphBuilder>
struct straight_line_layout {
 private:
  static constexpr auto& model = constant_graph_of<lower<typename GraphBuilder::model>>.nodes;
  static constexpr auto& own = constant_graph_of<GraphBuilder>.nodes;
  static constexpr std::size_t state_count = detail::count_leaves<&state_number>(own, family::state);

 public:
  static constexpr std::size_t parameter_count = parameters_of_program<GraphBuilder>;
  /// The bytes of those that the program has, 0 of others.
  static constexpr auto parameter_bytes =
      detail::sizes_of_leaves<&parameter_number, parameter_count>(own, family::parameter);
  static constexpr auto state_bytes = detail::sizes_of_leaves<&state_number, state_count>(own, family::state);
  /// Where each begins. A parameter that the program does not have takes its place as well.
  static constexpr auto parameters = [] {
    auto bytes = detail::sizes_of_leaves<&parameter_number, parameter_count>(model, family::parameter);
    for (std::size_t i = 0; i < parameter_count; ++i)
      if (parameter_bytes[i] > 0) bytes[i] = parameter_bytes[i];
    return detail::offsets_of(bytes);
  }();
  static constexpr auto states = detail::offsets_of(state_bytes);
  using arithmetic = arithmetic_of_tables;
  /// As program_core lays it out.
  static constexpr auto arena = bare_kernels::detail::lay_out_arena<GraphBuilder>(
      [](std::int64_t bytes) { return bytes; }, arena_alignment);
};

namespace detail {

/// The values of a plan's derived extents.
using extents_view = array_view<const std::int64_t>;

constexpr std::int64_t value_of(std::int64_t e, extents_view values) {
  return e >= 0 ? e : values[static_cast<std::size_t>(-1 - e)];
}
constexpr std::int64_t product_of(const std::int64_t* extents, int rank, extents_view values) {
  std::int64_t product = 1;
  for (int d = 0; d < rank; ++d) product = bounded_product(product, value_of(extents[d], values));
  return product;
}

/// Whether tables sum up a convolution in an order that straight-line code has, whatever their options.
constexpr bool has_order_of_tables(const planned_convolution& p) {
  const bool in_double = p.type == element::f64;
  if (in_double ? suits_winograd<double>(p, p.computes) : suits_winograd<float>(p, p.computes)) return false;
  return p.computes != convolution_part::weight ||
         order_of_gradient(p, in_double ? packet_size<double> : packet_size<float>) !=
             gradient_order::in_blocks;
}

// Steps are what a vector has numbers for. What goes from element to element takes as long for each as a
// vector of steps: where it is much, tables copy rows and tiles.
inline constexpr std::int64_t bytes_of_vector =
    bare_kernels::vector_bytes < 16 ? 16 : bare_kernels::vector_bytes;
inline constexpr std::int64_t steps_of_an_element = bytes_of_vector, steps_of_a_stride = bytes_of_vector / 4;

// The steps of a family's kernel; -1 where straight-line code has none as fast as that of tl::cpu.
template <class F>
constexpr std::int64_t steps_of_family(const F& p, extents_view values) {
  const auto product = [&](std::initializer_list<std::int64_t> extents) {
    return product_of(extents.begin(), static_cast<int>(extents.size()), values);
  };
  if constexpr (std::is_same_v<F, planned_gather> || std::is_same_v<F, planned_scatter> ||
                std::is_same_v<F, planned_prefix_scan>) {
    return bounded_product(product_of(p.extents, p.rank, values), steps_of_an_element);
  } else if constexpr (std::is_same_v<F, planned_convolution>) {
    F known = p;
    for (std::int64_t* e : {&known.batch, &known.in, &known.out}) *e = value_of(*e, values);
    for (int axis = 0; axis < 2; ++axis) {
      known.image[axis] = value_of(p.image[axis], values);
      known.positions[axis] = value_of(p.positions[axis], values);
    }
    const std::int64_t steps =
        tapeless::detail::multiplications_of(known, known.batch, straight_line_limits::by_choice);
    const bool is_fast = bare_kernels::goes_by_rows(known) || steps <= most_of_scalar_convolution;
    return is_fast && has_order_of_tables(known) ? steps : -1;
  } else if constexpr (std::is_same_v<F, planned_pooling>) {
    return product({p.batch, p.channels, p.positions[0], p.positions[1], p.kernel[0], p.kernel[1]});
  } else {
    return -1;
  }
}

/// The steps of a command's innermost loops; more than any limit where it is none of straight-line code.
template <class Plan>
constexpr std::int64_t steps_of(const Plan& plan, const planned_command& command, extents_view values) {
  const auto i = static_cast<std::size_t>(command.index);
  std::int64_t steps = 0;
  if (command.kind == planned_command::kind::fused_kernel) {
    const planned_fused_kernel& p = plan.fused_kernels[i];
    const std::int64_t elements = product_of(p.extents, p.rank, values);
    std::int64_t of_each = p.instructions;
    for (int k = p.first_load; k < p.first_load + p.loads; ++k)
      if (plan.loads[static_cast<std::size_t>(k)].kind == lane::strided) of_each += steps_of_a_stride;
    steps = bounded_product(elements, of_each);
    if (elements == 0) steps = straight_line_limits::by_choice + 1;  // their sum is known by tables
  } else if (command.kind == planned_command::kind::product) {
    const planned_product& p = plan.products[i];
    const std::int64_t sides[] = {p.m, p.n, p.k};
    steps = bounded_product(product_of(p.batch, p.batch_rank, values), product_of(sides, 3, values));
  } else if (command.kind == planned_command::kind::of_family) {
    for_family(kernel_families{}, command.family,
               [&]<class F>() { steps = steps_of_family(plan.families.template of<F>()[i], values); });
    if (steps < 0) steps = straight_line_limits::by_choice + 1;
  }
  return steps;
}

/// Those of all commands.
template <class Plan>
constexpr std::int64_t steps_of(const Plan& plan, extents_view values) {
  std::int64_t steps = 0, iterations = 1;
  for (const planned_command& command : plan.commands) {
    if (command.kind == planned_command::kind::loop_begin)
      iterations = value_of(plan.loops[static_cast<std::size_t>(command.index)].count, values);
    if (command.kind == planned_command::kind::loop_end) iterations = 1;
    steps += bounded_product(iterations, steps_of(plan, command, values));
  }
  return steps;
}

/// A slice's elements as check_indices notes them. If the extents behind its axis are unknown, none that it
/// notes.
template <class Nodes>
constexpr sliced_elements elements_of_slice(const Nodes& nodes, const node& slice) {
  const node& from = nodes[static_cast<std::size_t>(slice.operands[0])];
  std::int64_t inner = 1;
  for (int i = slice_of(slice).axis + 1; i < from.rank; ++i)
    inner = from.shape[i] < 0 ? 0 : inner * from.shape[i];
  return tapeless::elements_of_slice(slice, from, inner);
}

/// Whether all indices are checked before the program runs. Straight-line code cannot say that one is out of
/// range, as tables do.
template <class Graph>
constexpr bool are_indices_checked(const Graph& graph) {
  for (const node& n : graph.nodes) {
    const bool gathers =
        n.op->kind == family::gather && n.op->template as<gather_kind>() == gather_kind::by_index;
    if (!gathers && n.op->kind != family::scatter) continue;
    const node& picked_from = gathers ? graph.nodes[static_cast<std::size_t>(n.operands[0])] : n;
    int index = n.operands[1];
    sliced_elements elements;
    for (;;) {
      const node& i = graph.nodes[static_cast<std::size_t>(index)];
      if (i.op->kind != family::view && i.op->kind != family::alias) break;
      if (i.op->is(view_kind::slice))
        elements = elements_of_slice(graph.nodes, i);
      else if (i.op->kind == family::view && !i.op->is(view_kind::reshape))
        elements = {};
      index = i.operands[0];
    }
    if (!is_checked_input(graph, index, picked_from.shape[axis_of(n)], elements)) return false;
  }
  return true;
}

}  // namespace detail

/// Whether a program can be straight-line code, and has so few steps at most with these values of its
/// run-time extents. Those on sums of gradients are not: these get their memory when they are first asked
/// for. nvcc, which reads all code twice and has no vectors, compiles none.
template <class GraphBuilder>
constexpr bool is_straight_line(std::int64_t most_steps, array_view<const std::int64_t> values = {}) {
#if defined(__CUDACC__)
  return false;
#endif
  constexpr auto& plan = plan_of<GraphBuilder>;
  for (const node& n : constant_graph_of<GraphBuilder>.nodes)
    if (n.op->kind == family::state &&
        static_cast<std::size_t>(state_number(n)) < parameters_of_program<GraphBuilder>)
      return false;
  if (plan.extents.size() != values.size() || plan.commands.size() > straight_line_limits::commands)
    return false;
  return detail::steps_of(plan, values) <= most_steps &&
         detail::are_indices_checked(constant_graph_of<GraphBuilder>);
}

/// Whether a program has zero in place of denormal results, where its policy asks for it: on all policies of
/// the CPU, those that update parameters or states. But a small one of a rule without states computes such
/// numbers: to change the processor's mode takes it as long as all the rest.
template <class GraphBuilder>
constexpr bool flushes_denormals_in() {
  if (constant_graph_of<GraphBuilder>.effects.size() == 0) return false;
  for (const node& n : constant_graph_of<GraphBuilder>.nodes)
    if (n.op->kind == family::state) return true;
  return !is_straight_line<GraphBuilder>(straight_line_limits::by_default);
}

}  // namespace tapeless::cpu_kernels
