// SPDX-License-Identifier: BSL-1.0
// The places of parameters and states in the object that trains where there is no heap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/optim/base/state_numbers.hpp>
#include <tapeless/run/bare/bare_memory.hpp>
#include <tapeless/train/bare/bare_parameters.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// Where the parameters and states of a trainer are.
template <class Model, class Step>
struct bare_layout {
  static constexpr const auto& parameter_descriptions = parameters_of_model<Model>;
  static constexpr state_numbers numbers{parameter_descriptions.size()};
  static constexpr const auto& state_descriptions = states_of_rule<Step, numbers.first_of_rule()>;

  static constexpr auto& parameters = bare_parameters<Model>::offsets;

  // By the state's number in a program; those before the rule's are gradients, which a step does not keep.
  static constexpr auto states_of_the_rule = bare_kernels::detail::lay_out_tensors(state_descriptions);
  static constexpr std::int64_t state_bytes = states_of_the_rule[state_descriptions.size()];
  static constexpr auto states = [] {
    constexpr auto first = static_cast<std::size_t>(numbers.first_of_rule());
    std::array<std::int64_t, first + state_descriptions.size()> all{};
    for (std::size_t i = 0; i < state_descriptions.size(); ++i) all[first + i] = states_of_the_rule[i];
    return all;
  }();
};

}  // namespace tapeless::detail
