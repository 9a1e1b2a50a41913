// SPDX-License-Identifier: BSL-1.0
// Where programs find states.
#pragma once

#include <cstddef>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/optim/base/state_numbers.hpp>

namespace tapeless {

/// The addresses of all states of a trainer's programs, by their numbers. Programs read the table in place:
/// gradients may get their memory after a program was made.
class state_addresses {
 public:
  state_addresses(state_numbers numbers, std::size_t states_of_rule)
      : numbers_(numbers), addresses_(static_cast<std::size_t>(numbers.first_of_rule()) + states_of_rule) {}
  state_addresses(const state_addresses&) = delete;
  state_addresses& operator=(const state_addresses&) = delete;

  /// One for each parameter and buffer.
  void set_gradients(array_view<std::byte* const> of_parameters) {
    for (std::size_t i = 0; i < of_parameters.size(); ++i)
      addresses_[state_numbers::gradient_of(static_cast<int>(i))] = of_parameters[i];
  }
  /// In the order of their numbers.
  void set_states_of_rule(array_view<std::byte* const> states) {
    for (std::size_t i = 0; i < states.size(); ++i)
      addresses_[numbers_.first_of_rule() + static_cast<int>(i)] = states[i];
  }

  array_view<std::byte* const> all() const { return addresses_; }

 private:
  state_numbers numbers_;
  list<std::byte*> addresses_;
};

}  // namespace tapeless
