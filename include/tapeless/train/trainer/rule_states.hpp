// SPDX-License-Identifier: BSL-1.0
// The states of a rule, by name, with their memory.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/train/trainer/frozen_states.hpp>
#include <tapeless/train/trainer/model_parameters.hpp>
#include <tapeless/train/trainer/state_addresses.hpp>

namespace tapeless {

namespace detail {

/// What others do of this rule's work; null where they do nothing.
template <class Rule>
const left_to_others* others_of(const Rule& rule) {
  if constexpr (requires { rule.others(); }) {
    return rule.others();
  } else if constexpr (requires { Rule::accumulates; }) {
    return others_of(rule.inner());
  } else {
    return nullptr;
  }
}

template <class States>
constexpr text unknown_state(std::string_view label, std::string_view parameter, const States& states) {
  text t;
  t << "the rule has no state \"" << label << "\"";
  if (!parameter.empty()) t << " of a parameter \"" << parameter << "\"";
  t << "; its states are";
  for (std::size_t i = 0; i < states.size(); ++i) {
    bool listed = false;
    for (std::size_t k = 0; k < i; ++k) listed = listed || *states[k].label == *states[i].label;
    if (!listed) t << (i == 0 ? " \"" : ", \"") << states[i].label->view() << "\"";
  }
  if (states.size() == 0) t << " none";
  return t;
}

}  // namespace detail

/// The states of a rule that trains Parameters, a model_parameters; GraphBuilder's graph has all of them.
template <class GraphBuilder, class Parameters>
class rule_states {
  static constexpr state_numbers numbers{Parameters::count};

 public:
  /// In the order of their numbers.
  static constexpr const auto& descriptions = states_of_rule<GraphBuilder, numbers.first_of_rule()>;
  static constexpr std::size_t count = descriptions.size();

  /// They start as the rule says; what starts as a parameter does, from the same seed. Programs find them.
  template <class Resources>
  rule_states(Resources& resources, state_addresses& addresses, std::uint64_t seed,
              const left_to_others* others = nullptr)
      : others_(others), memory_(descriptions, resources, absent()) {
    addresses.set_states_of_rule(memory_.program_pointers());
    constexpr value_computation compute = value_computation_of(descriptions);
    const array_view<const state_description> all = descriptions;
    for (std::size_t i = 0; i < count; ++i)
      if (is_here(i))
        initialize_states(all.subspan(i, 1), compute, memory_.pointers().subspan(i, 1),
                          Parameters::descriptions, seed);
  }

  array_view<std::byte* const> pointers() const { return memory_.pointers(); }

  /// A view of the state of that label that belongs to a parameter, or, without one, to all.
  template <name Label, name Parameter>
  auto view() const {
    if constexpr (constexpr int index = index_of<Label, Parameter>(); index >= 0) {
      if (!is_here(index)) refuse_absent(descriptions[index], name_of_parameter(descriptions[index]));
      return memory_.template view<descriptions[index].type>(descriptions[index], index);
    } else {
      return error_stub_result();
    }
  }

  /// Where the float copy of parameter number i is; null where it has none.
  std::byte* master_data(std::size_t i) const {
    for (std::size_t k = 0; k < count; ++k)
      if (descriptions[k].label == &interned<master_label> && descriptions[k].of == static_cast<int>(i))
        return is_here(k) ? memory_[k] : nullptr;
    return nullptr;
  }

  /// Says for the parameters whose names fit the pattern whether they are held fast. The compiler is stopped
  /// where none of them can be.
  template <name Pattern>
  void set_frozen(bool frozen) {
    constexpr auto is_meant = detail::frozen_states_like<descriptions, Parameters::descriptions, Pattern>();
    for (std::size_t i = 0; i < count; ++i)
      if (is_meant[i] && is_here(i)) detail::store_number(frozen ? 1 : 0, descriptions[i].type, memory_[i]);
  }

 private:
  const left_to_others* others_;
  parameter_memory<typename Parameters::memory_type> memory_;

  array_view<const char> absent() const {
    return others_ == nullptr ? array_view<const char>() : others_->states();
  }
  bool is_here(std::size_t i) const { return others_ == nullptr || others_->states()[i] == 0; }
  [[noreturn]] TAPELESS_COLD static void refuse_absent(const state_description& s,
                                                       std::string_view parameter) {
    throw_error({"the state \"", s.label->view(), "\" of \"", parameter, "\" is on another rank"});
  }

  static constexpr std::string_view name_of_parameter(const state_description& s) {
    return detail::name_of_parameter(s, Parameters::descriptions);
  }

  template <name Label, name Parameter>
  static constexpr int index_of() {
    constexpr int index = [] {
      for (std::size_t i = 0; i < count; ++i)
        if (descriptions[i].label->view() == Label.view() &&
            name_of_parameter(descriptions[i]) == Parameter.view())
          return static_cast<int>(i);
      return -1;
    }();
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_state(Label.view(), Parameter.view(), descriptions);
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
    return index;
  }
};

}  // namespace tapeless
