// SPDX-License-Identifier: BSL-1.0
// What can be looked into: trainers and functions, by the programs that they run.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/train/inspect/described_program.hpp>
#include <tapeless/train/inspect/extent_polynomial.hpp>
#include <tapeless/train/program/memory_plan.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

namespace tapeless {

/// A program that is one function where the extents of a net's program have these values; -1 is any.
struct described_line {
  array_view<const std::int64_t> extents;
  const described_program* program = nullptr;
};

/// A trainer or a function.
struct described_net {
  std::string_view what;  // that the program computes
  const described_program* program = nullptr;
  const described_program* apply = nullptr;  // the update, where the program only collects gradients for it
  array_view<const parameter_description> parameters;
  array_view<const described_line> lines = {};
  // For each command that begins a launch, how many it has, see commands_at_once_on.
  array_view<const std::size_t> at_once = {}, at_once_in_apply = {};
};

namespace detail {

/// The program that a net is described by: a trainer's step; where it has several, its evaluation.
template <class Net>
struct described_program_of;
template <class Net>
  requires requires { typename Net::graph_builder; }
struct described_program_of<Net> {
  using type = typename Net::graph_builder;
  static constexpr std::string_view what = "a call";
};
template <class Net>
  requires requires { typename Net::step_program; }
struct described_program_of<Net> {
  using type = typename Net::step_program;
  static constexpr std::string_view what = "a step";
};
template <class Net>
  requires(
      requires { typename Net::evaluate_program; } && !requires { typename Net::step_program; })
struct described_program_of<Net> {
  using type = typename Net::evaluate_program;
  static constexpr std::string_view what = "an evaluation";
};

template <class Net>
concept can_be_described = requires { typename described_program_of<Net>::type; };

template <class Net>
constexpr const described_program* apply_program_of() {
  if constexpr (requires { typename Net::apply_program; }) {
    if constexpr (std::same_as<typename Net::step_program, typename Net::accumulate_program>)
      return &description_of<typename Net::apply_program>;
  }
  return nullptr;
}

template <class Net>
constexpr array_view<const std::size_t> commands_at_once_in_apply() {
  if constexpr (apply_program_of<Net>() != nullptr)
    return commands_at_once_on<typename Net::apply_program, typename Net::policy_type>();
  return {};
}

template <class GraphBuilder, class Lines, std::size_t... I>
constexpr auto describe_lines(std::index_sequence<I...>) {
  return std::array<described_line, sizeof...(I)>{
      described_line{Lines::template values<I>(), &description_of<typename Lines::template builder<I>>}...};
}
template <class GraphBuilder, class Lines>
inline constexpr auto described_lines_of =
    describe_lines<GraphBuilder, Lines>(std::make_index_sequence<Lines::count>{});

/// Of a net whose model has an error, which has been reported, there is no program.
template <class Net>
constexpr described_net describe_net() {
  if constexpr (std::derived_from<Net, error_stub>) {
    return {};
  } else {
    constexpr bool has_program = can_be_described<Net>;  // clang explains concepts in lines of their own
    static_assert(has_program,
                  "tapeless: what is looked into is a trainer or a function: summary(net), explain(net), "
                  "to_dot(net), to_mermaid(net)");
    if constexpr (has_program) {
      using program = described_program_of<Net>;
      using lines = lines_on<typename Net::policy_type, typename program::type>;
      return {program::what,
              &description_of<typename program::type>,
              apply_program_of<Net>(),
              Net::parameter_descriptions(),
              described_lines_of<typename program::type, lines>,
              commands_at_once_on<typename program::type, typename Net::policy_type>(),
              commands_at_once_in_apply<Net>()};
    } else {
      return {};
    }
  }
}

/// Throws an error where an extent is given that the plan does not have, or a negative one.
template <class Lazy = void>
TAPELESS_COLD void check_extents(std::string_view who, const known_extents& known) {
  for (const bound_extent& e : known.given) {
    bool is_known = false;
    std::string names;
    for (const derived_extent& d : known.table) {
      if (d.kind != extent_kind::symbol) continue;
      is_known = is_known || d.symbol == e.symbol;
      append(names, {names.empty() ? "\"" : ", \"", d.symbol->view(), "\""});
    }
    if (!is_known)
      throw_error({who, ": the model has no run-time extent named \"", e.symbol->view(), "\"; there is ",
                   names.empty() ? "none" : names});
    if (e.value < 0)
      throw_error(
          {who, ": the run-time extent \"", e.symbol->view(), "\" is ", e.value, "; it must be 0 or more"});
  }
}

/// The one function that runs where these extents are known, or null.
inline const described_line* line_at(const described_net& net, const known_extents& known) {
  for (const described_line& line : net.lines) {
    bool fits = true;
    for (std::size_t k = 0; k < line.extents.size(); ++k)
      if (line.extents[k] >= 0 && known.table[k].kind == extent_kind::symbol)
        fits = fits && known.value_of(known.table[k].symbol) == line.extents[k];
    if (fits) return &line;
  }
  return nullptr;
}

/// The first symbol that is not known, or null.
inline const name* unknown_symbol(const known_extents& known) {
  for (const derived_extent& d : known.table)
    if (d.kind == extent_kind::symbol && known.value_of(d.symbol) < 0) return d.symbol;
  return nullptr;
}

/// A number that all extents of which are known.
inline std::int64_t known_number(std::int64_t e, const known_extents& known) {
  return static_cast<std::int64_t>(extent_polynomial::of_extent(e, known).constant());
}

/// Where buffers are in a program's arena.
struct described_arena {
  list<std::int64_t> bytes, offsets;
  list<planned_buffer> buffers;  // as long as the arena has room for them
  std::int64_t size = 0;

  /// Precondition: all extents are known.
  template <class Plan>
  TAPELESS_COLD described_arena(const Plan& plan, const known_extents& known,
                                array_view<const std::size_t> at_once)
      : bytes(plan.buffers.size()), offsets(plan.buffers.size()) {
    for (const planned_buffer& b : plan.buffers) buffers.push(b);
    if (!at_once.empty())
      live_through_launches(buffers, static_cast<int>(plan.commands.size()),
                            [&](int s) { return at_once[static_cast<std::size_t>(s)]; });
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
      bytes[i] = known_number(plan.buffers[i].count, known) *
                 static_cast<std::int64_t>(size_of(plan.buffers[i].type));
    list<arena_slot> slots(plan.buffers.size());
    size = assign_offsets(
        buffers.data(), static_cast<int>(buffers.size()), [&](int i) { return bytes[i]; }, offsets.data(),
        slots.data());
  }
};

/// What plan_memory says, at run time. Precondition: all extents are known.
template <class Lazy = void>
TAPELESS_COLD memory_plan memory_of(const described_program& program, const known_extents& known,
                                    array_view<const parameter_description> parameters,
                                    array_view<const std::size_t> at_once) {
  const plan_view& plan = *program.plan;
  const described_arena arena(plan, known, at_once);
  const auto is_gradient = [&](int i) {
    for (const graph_effect& e : program.effects)
      if (e.gradient == plan.buffers[static_cast<std::size_t>(i)].node) return true;
    return false;
  };
  const auto bytes = [&](int i) { return aligned(arena.bytes[i]); };
  memory_plan m;
  for (const parameter_description& d : parameters) m.parameters += aligned(d.bytes());
  std::int64_t held = 0;
  for (const described_node& n : program.nodes) {
    if (n.kind != family::state) continue;
    auto state = static_cast<std::int64_t>(size_of(n.type));
    for (int d = 0; d < n.rank; ++d) state *= n.shape[d];
    (n.label == &interned<gradient_label> ? held : m.optimizer) += aligned(state);
  }
  const int commands = static_cast<int>(plan.commands.size());
  m.gradients = held + most_at_once(arena.buffers, commands, bytes, is_gradient);
  m.activations = most_at_once(arena.buffers, commands, bytes, [&](int i) { return !is_gradient(i); });
  m.peak = m.parameters + m.optimizer + held + arena.size;
  return m;
}
template <class Lazy = void>
TAPELESS_COLD memory_plan memory_of(const described_net& net, const known_extents& known) {
  const described_line* const line = line_at(net, known);
  const memory_plan m = line != nullptr ? memory_of(*line->program, {}, net.parameters, {})
                                        : memory_of(*net.program, known, net.parameters, net.at_once);
  if (net.apply == nullptr) return m;
  return collected_and_applied(m, memory_of(*net.apply, {net.apply->plan->extents, known.given},
                                            net.parameters, net.at_once_in_apply));
}

}  // namespace detail

}  // namespace tapeless
