// SPDX-License-Identifier: BSL-1.0
// A trained model with the memory of its rule: states, float copies of parameters, parameters held fast.
#pragma once

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/optim/base/name_pattern.hpp>
#include <tapeless/optim/wrappers/freezable.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/train/trainer/trained_model.hpp>

namespace tapeless {

namespace detail {

template <class States>
constexpr text unknown_state(std::string_view label, std::string_view parameter, const States& states) {
  text t;
  t << "the rule has no state \"" << label << "\"";
  if (!parameter.empty()) t << " of a parameter \"" << parameter << "\"";
  t << "; its states are";
  for (std::size_t i = 0; i < states.size(); ++i) {
    bool listed = false;
    for (std::size_t k = 0; k < i; ++k) listed = listed || states[k].label == states[i].label;
    if (!listed) t << (i == 0 ? " \"" : ", \"") << states[i].label->view() << "\"";
  }
  if (states.size() == 0) t << " none";
  return t;
}

}  // namespace detail

/// What trainers have whose rule has states; GraphBuilder builds a program that has all of them.
template <class Model, class Rule, class Policy, class GraphBuilder>
class trained_rule : public trained_model<Model, Rule, Policy> {
  using base = trained_model<Model, Rule, Policy>;

 public:
  /// A view of one of the rule's states: net.state<"adam.mu", "fc1.weight">(), net.state<"loss_scale">().
  template <name Label, name Parameter = name{}>
  auto state() {
    if constexpr (constexpr int index = state_index<Label, Parameter>(); index >= 0) {
      return states_.template view<rule_states_[index].type>(rule_states_[index], index);
    } else {
      return error_stub_result();
    }
  }

  /// A view of a parameter's float copy under mixed precision; assign changes both.
  template <name Name>
  auto master() {
    const auto view = state<master_label, Name>();
    if constexpr (std::is_same_v<decltype(view), const error_stub_result>) {
      return view;
    } else {
      return view.as_const();
    }
  }
  /// Where the float copy of parameter number i is; null where it has none.
  std::byte* master_data(std::size_t i) {
    for (std::size_t k = 0; k < rule_states_.size(); ++k)
      if (rule_states_[k].label == &interned<master_label> && rule_states_[k].of == static_cast<int>(i))
        return states_[k];
    return nullptr;
  }

  /// Gives a parameter, and its float copy under mixed precision, these values. Throws an error where there
  /// are more or fewer of them than elements.
  template <name Name, class Values>
  void assign(const Values& values) {
    const auto own = this->template parameter<Name>();
    if (std::size(values) != own.size())
      throw error({"assign: the parameter \"", Name.view(), "\" has ", own.size(), " elements, but ",
                   std::size(values), " are given"});
    const auto copy = [&](auto* to) {
      for (const auto& x : values) *to++ = static_cast<std::remove_pointer_t<decltype(to)>>(x);
    };
    copy(own.data());
    if (std::byte* master = master_data(static_cast<std::size_t>(base::template index_of<Name>())))
      copy(reinterpret_cast<float*>(master));
  }

  /// Holds fast the parameters whose names fit the pattern, with their states, until thaw:
  /// freeze<"body.*">(). The rule must be freezable.
  template <name Pattern>
  void freeze() {
    set_frozen<Pattern>(1);
  }
  template <name Pattern>
  void thaw() {
    set_frozen<Pattern>(0);
  }

  /// What is known of the rule's states while compiling, and where their elements are.
  static constexpr array_view<const state_description> state_descriptions() { return rule_states_; }
  array_view<std::byte* const> state_data() { return states_.pointers(); }

 protected:
  static constexpr const auto& rule_states_ = states_of_rule<GraphBuilder, base::parameters_.size()>;

  trained_rule(Rule rule, const Policy& policy, std::uint64_t seed)
      : base(std::move(rule), policy, seed), states_(rule_states_, this->resources_) {
    for (std::byte* state : states_.program_pointers()) this->state_pointers_.push(state);
    initialize(rule_states_, states_.pointers(), seed);
  }
  ~trained_rule() = default;

 private:
  parameter_memory<typename Policy::memory> states_;

  static constexpr std::string_view name_of_parameter(const state_description& s) {
    return s.of < 0 ? std::string_view() : base::parameters_[static_cast<std::size_t>(s.of)].label->view();
  }

  template <name Label, name Parameter>
  static constexpr int state_index() {
    constexpr int index = [] {
      for (std::size_t i = 0; i < rule_states_.size(); ++i)
        if (rule_states_[i].label->view() == Label.view() &&
            name_of_parameter(rule_states_[i]) == Parameter.view())
          return static_cast<int>(i);
      return -1;
    }();
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_state(Label.view(), Parameter.view(), rule_states_);
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
    return index;
  }

  template <name Pattern>
  static constexpr int count_freezable() {
    int count = 0;
    for (const state_description& s : rule_states_)
      count +=
          s.label == &interned<frozen_label> && detail::fits(Pattern.view(), name_of_parameter(s)) ? 1 : 0;
    return count;
  }

  template <name Pattern>
  void set_frozen(double to) {
    if constexpr (count_freezable<Pattern>() == 0) {
      constexpr text message = text()
                               << "freeze, thaw: no parameter that can be frozen has a name like \""
                               << Pattern.view() << "\"; a rule that can leave some out is freezable(rule)";
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    } else {
      for (std::size_t i = 0; i < rule_states_.size(); ++i)
        if (rule_states_[i].label == &interned<frozen_label> &&
            detail::fits(Pattern.view(), name_of_parameter(rule_states_[i])))
          detail::store_number(to, rule_states_[i].type, states_[i]);
    }
  }
};

}  // namespace tapeless
