// SPDX-License-Identifier: BSL-1.0
// The states of a freezable rule that hold parameters fast, by the parameters' names.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/optim/base/name_pattern.hpp>
#include <tapeless/optim/wrappers/freezable.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// The name of the parameter that a state belongs to; empty where it belongs to all.
template <class Parameters>
constexpr std::string_view name_of_parameter(const state_description& s, const Parameters& parameters) {
  return s.of < 0 ? std::string_view() : parameters[static_cast<std::size_t>(s.of)].label->view();
}

/// Which of a rule's states hold a parameter fast whose name fits the pattern. The compiler is stopped where
/// none does.
template <const auto& States, const auto& Parameters, name Pattern>
constexpr auto frozen_states_like() {
  constexpr auto all = [] {
    std::array<bool, States.size() + 1> found{};  // and behind them whether there are any
    for (std::size_t i = 0; i < States.size(); ++i) {
      found[i] = States[i].label == &interned<frozen_label> &&
                 fits(Pattern.view(), name_of_parameter(States[i], Parameters));
      found[States.size()] |= found[i];
    }
    return found;
  }();
  if constexpr (!all[States.size()]) {
    constexpr text message = text() << "freeze, thaw: no parameter that can be frozen has a name like \""
                                    << Pattern.view()
                                    << "\"; a rule that can leave some out is freezable(rule)";
    static_assert(compile_error<sentence_of<message.size>(message)>::reported);
  }
  return all;
}

}  // namespace tapeless::detail
