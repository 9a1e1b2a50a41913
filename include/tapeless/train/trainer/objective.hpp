// SPDX-License-Identifier: BSL-1.0
// What a trainer with several losses has for each of them.
#pragma once

#include <tapeless/train/program/objective_graph_builder.hpp>
#include <tapeless/train/trainer/hyperparameters.hpp>
#include <tapeless/train/trainer/lazy_program.hpp>
#include <tapeless/train/trainer/rule_states.hpp>
#include <tapeless/train/trainer/trainer_interface.hpp>
#include <tapeless/train/trainer/training_programs.hpp>

namespace tapeless::detail {

/// A rule's numbers and states, the program of a step, and how many steps were made. Programs read its
/// members in place: it stays where it is made.
template <class Model, class Objective, class Policy, bool Eager, class Parameters>
struct trained_objective {
  using program = ready_for<objective_graph_builder<Model, Objective, Eager>, Policy>;
  using average_builder = objective_average_graph_builder<Model, Objective>;
  using average_program = ready_for<average_builder, Policy>;
  using states = rule_states<program, Parameters>;
  using rule_type = typename Objective::rule_type;
  static constexpr name label = Objective::label;
  static_assert(!Eager || !rule_type::waits_for_all_gradients,
                "tapeless: eager updates change each parameter as soon as its own gradient is there, but a "
                "transformation of an objective's rule (clip_by_global_norm, ...) needs the gradients of all "
                "its parameters first: leave eager_updates out");

  template <class Resources>
  trained_objective(const Objective& o, Resources& resources, const Parameters& parameters,
                    std::uint64_t seed)
      : numbers(o.rule),
        of_rule(resources, addresses, seed),
        memory{parameters.memory().program_pointers(), addresses.all(), numbers.numbers(), &resources} {}
  trained_objective(const trained_objective&) = delete;
  trained_objective& operator=(const trained_objective&) = delete;

  /// Whether the rule keeps averages.
  static constexpr bool has_averages() { return constant_graph_of<average_builder>.effects.size() > 0; }

  hyperparameters<rule_type> numbers;
  state_addresses addresses{state_numbers{Parameters::count}, states::count};
  states of_rule;
  std::int64_t steps = 0;
  program_memory<typename Policy::program::resources> memory;
  lazy_program<program, Policy, empty_inputs::refused> step;
  lazy_program<average_program, Policy, empty_inputs::taken> average;
};

/// The first of the programs whose graph cannot be built, or the last.
template <class First, class... More>
struct first_unsound : first_unsound<More...> {};
template <class First, class... More>
  requires(sizeof...(More) == 0 || !is_sound_graph<First>())
struct first_unsound<First, More...> {
  using type = First;
};
template <class Model, class... O, class Policy, bool Eager>
struct step_program_of<Model, in_turn_rule<O...>, Policy, Eager> {
  using type = typename first_unsound<ready_for<objective_graph_builder<Model, O, Eager>, Policy>...>::type;
};

template <class Model, class... O>
struct predict_builder_of<Model, in_turn_rule<O...>> {
  using type = beside_objectives_graph_builder<Model, O...>;
};

/// The names of all objectives' states, "generator.adam.mu", each time followed by that of the number of
/// steps.
template <class... Objective>
inline constexpr auto names_of_objective_states = [] {
  std::array<name, (0 + ... + (Objective::states::count + 1))> all{};
  std::size_t n = 0;
  const auto add = [&](name objective, const auto& states) {
    for (const state_description& s : states) all[n++] = objective + "." + *s.label;
    all[n++] = objective + ".steps";
  };
  (add(Objective::label, Objective::states::descriptions), ...);
  return all;
}();

/// What is known of them while compiling.
template <class... Objective>
inline constexpr auto objective_states = [] {
  constexpr auto& names = names_of_objective_states<Objective...>;
  std::array<state_description, names.size()> all{};
  std::size_t n = 0;
  const auto add = [&](const auto& states) {
    for (const state_description& s : states) all[n++] = s;
    all[n++].type = element::i64;
  };
  (add(Objective::states::descriptions), ...);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].label = &names[i];
  return all;
}();

/// Which objectives have a hyperparameter that a name means, and its name there.
template <std::size_t N>
struct found_hyperparameter {
  std::array<bool, N> is_meant{};
  name rest;
  constexpr bool any() const {
    for (bool b : is_meant)
      if (b) return true;
    return false;
  }
};

/// What the name is in an objective whose own name stands before it; nothing in another one, or where that
/// has no hyperparameter of the name.
template <name Name, class Objective>
constexpr name name_behind_objective = [] {
  constexpr name own = [] {
    const std::string_view all = Name.view(), label = Objective::label.view();
    name rest;
    if (all.starts_with(label) && all.substr(label.size()).starts_with('.'))
      append_to(rest, all.substr(label.size() + 1));
    return rest;
  }();
  return hyperparameters<typename Objective::rule_type>::template has<own>() ? own : name();
}();

/// Where the name begins with an objective's, that one is meant, otherwise all.
template <name Name, class... Objective>
inline constexpr auto hyperparameter_in_objectives = [] {
  found_hyperparameter<sizeof...(Objective)> found{
      {hyperparameters<typename Objective::rule_type>::template has<Name>()...}, Name};
  std::size_t number = 0;
  const auto look = [&](const name& own) {
    if (own.size() > 0) {
      found = {{}, own};
      found.is_meant[number] = true;
    }
    ++number;
  };
  (look(name_behind_objective<Name, Objective>), ...);
  return found;
}();

}  // namespace tapeless::detail
