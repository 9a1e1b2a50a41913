// SPDX-License-Identifier: BSL-1.0
// The memory that a training step needs, known before the program runs.
#pragma once

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/train/program/bound_program.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/lines_on.hpp>
#include <tapeless/train/program/parameters.hpp>

namespace tapeless {

/// Sizes in bytes. On the CPU each thread also has packing buffers for matrix products, of about the size of
/// its caches.
struct memory_plan {
  std::int64_t parameters = 0;
  std::int64_t gradients = 0;    ///< the most that gradients of parameters take at one time
  std::int64_t optimizer = 0;    ///< the rule's states
  std::int64_t activations = 0;  ///< the most that everything else in the step takes at one time
  std::int64_t peak = 0;         ///< parameters, states and the arena that gradients and activations share
  friend constexpr bool operator==(const memory_plan&, const memory_plan&) = default;
};

namespace detail {

/// For each command that begins a launch on the policy, how many commands the launch has; empty if that is
/// always one.
template <class GraphBuilder, class Policy>
constexpr array_view<const std::size_t> commands_at_once_on() {
  if constexpr (requires { Policy::template commands_at_once<GraphBuilder>; })
    return Policy::template commands_at_once<GraphBuilder>;
  return {};
}

/// The most bytes that buffers for which `counts(i)` take at one time.
template <class Buffers, class Bytes, class Counts>
constexpr std::int64_t most_at_once(const Buffers& buffers, int commands, Bytes bytes, Counts counts) {
  list<std::int64_t> change;
  change.assign(commands + 2, 0);
  for (int i = 0; i < static_cast<int>(buffers.size()); ++i) {
    if (!counts(i)) continue;
    const planned_buffer& b = buffers[static_cast<std::size_t>(i)];
    change[b.first] += bytes(i);
    change[b.last + 1] -= bytes(i);
  }
  std::int64_t now = 0, most = 0;
  for (std::int64_t c : change) {
    now += c;
    most = now > most ? now : most;
  }
  return most;
}

}  // namespace detail

/// The memory of a program that trains these parameters, on a policy without code of its own for some
/// extents.
template <class GraphBuilder, class Policy = void>
constexpr memory_plan plan_memory(array_view<const bound_extent> extents,
                                  array_view<const parameter_description> parameters) {
  constexpr auto& p = plan_of<GraphBuilder>;
  std::array<std::int64_t, p.extents.size()> values{};
  const int too_large = evaluate_extents(
      p.extents,
      [&](std::size_t k) {
        for (const bound_extent& e : extents)
          if (e.symbol == p.extents[k].symbol && e.value >= 0)
            return e.value;
          else if (e.symbol == p.extents[k].symbol)
            throw_error("plan: the run-time extent \"" + std::string(e.symbol->view()) + "\" is negative");
        throw_error("plan: the run-time extent \"" + std::string(p.extents[k].symbol->view()) +
                    "\" is not given");
      },
      values);
  if (too_large >= 0) throw_error("plan: with these run-time extents a tensor has more than 2^48 elements");
  const auto bytes = [&](int i) {
    const planned_buffer& b = p.buffers[static_cast<std::size_t>(i)];
    const std::int64_t count = b.count >= 0 ? b.count : values[static_cast<std::size_t>(-1 - b.count)];
    return detail::aligned(count * static_cast<std::int64_t>(size_of(b.type)));
  };
  const auto is_gradient = [&](int i) {
    for (const graph_effect& e : constant_graph_of<GraphBuilder>.effects)
      if (e.gradient == p.buffers[static_cast<std::size_t>(i)].node) return true;
    return false;
  };
  constexpr int count = static_cast<int>(p.buffers.size()), commands = static_cast<int>(p.commands.size());
  std::array<planned_buffer, count> buffers{};
  for (std::size_t i = 0; i < buffers.size(); ++i) buffers[i] = p.buffers[i];
  if constexpr (constexpr auto at_once = detail::commands_at_once_on<GraphBuilder, Policy>();
                !at_once.empty())
    live_through_launches(buffers, commands, [&](int s) { return at_once[static_cast<std::size_t>(s)]; });
  std::array<std::int64_t, count> offsets{};
  std::array<arena_slot, count> slots{};
  memory_plan m;
  for (const parameter_description& d : parameters) m.parameters += detail::aligned(d.bytes());
  std::int64_t held = 0;  // gradients that wait in states
  for (const node& n : constant_graph_of<GraphBuilder>.nodes) {
    if (n.op->kind != family::state) continue;
    std::int64_t state = static_cast<std::int64_t>(size_of(n.type));
    for (int d = 0; d < n.rank; ++d) state *= n.shape[d];
    (n.label == &interned<gradient_label> ? held : m.optimizer) += detail::aligned(state);
  }
  m.gradients = held + detail::most_at_once(buffers, commands, bytes, is_gradient);
  m.activations = detail::most_at_once(buffers, commands, bytes, [&](int i) { return !is_gradient(i); });
  m.peak = m.parameters + m.optimizer + held +
           assign_offsets(buffers.data(), count, bytes, offsets.data(), slots.data());
  return m;
}

namespace detail {

template <class GraphBuilder>
constexpr bool have_values(array_view<const bound_extent> extents, array_view<const std::int64_t> values) {
  constexpr auto& table = plan_of<GraphBuilder>.extents;
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (table[k].kind != extent_kind::symbol || values[k] < 0) continue;
    bool found = false;
    for (const bound_extent& e : extents)
      found = found || (e.symbol == table[k].symbol && e.value == values[k]);
    if (!found) return false;
  }
  return true;
}

template <class GraphBuilder, class Policy, std::size_t Line = 0>
constexpr memory_plan plan_memory_in_line(array_view<const bound_extent> extents,
                                          array_view<const parameter_description> parameters) {
  using lines = lines_on<Policy, GraphBuilder>;
  if constexpr (Line < lines::count) {
    if (have_values<GraphBuilder>(extents, lines::template values<Line>()))
      return plan_memory<typename lines::template builder<Line>>({}, parameters);
    return plan_memory_in_line<GraphBuilder, Policy, Line + 1>(extents, parameters);
  } else {
    return plan_memory<GraphBuilder, Policy>(extents, parameters);
  }
}

}  // namespace detail

/// The same on a policy, which may have code of its own for some extents.
template <class GraphBuilder, class Policy>
constexpr memory_plan plan_memory_on(array_view<const bound_extent> extents,
                                     array_view<const parameter_description> parameters) {
  return detail::plan_memory_in_line<GraphBuilder, Policy>(extents, parameters);
}

/// The memory of a step whose gradients are collected by one program and applied by another.
constexpr memory_plan collected_and_applied(const memory_plan& collect, const memory_plan& apply) {
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b ? a : b; };
  const std::int64_t collecting = collect.peak - collect.optimizer, applying = apply.peak - apply.optimizer;
  return {.parameters = collect.parameters,
          .gradients = larger(collect.gradients, apply.gradients),
          .optimizer = apply.optimizer,
          .activations = larger(collect.activations, apply.activations),
          .peak = apply.optimizer + larger(collecting, applying)};
}

}  // namespace tapeless
