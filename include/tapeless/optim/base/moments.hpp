// SPDX-License-Identifier: BSL-1.0
// The running means of the gradient and of its square that many rules keep.
#pragma once

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

namespace detail {

/// mean = decay * mean + (1 - decay) * x, kept as the state Label. Returns it as it is stored: rules that go
/// on from the mean before it is rounded (states_as) have their own.
template <name Label>
constexpr value running_mean(rule_context& c, value decay, value x) {
  const value mean = c.state<Label>();
  return c.set(mean, decay * mean + (1.0 - decay) * x);
}

/// What takes the bias of a start at zero off a running mean: 1 / (1 - decay^t).
constexpr value debias(rule_context& c, value decay) { return 1.0 / (1.0 - pow(decay, c.step())); }

}  // namespace detail

/// An option whose presence chooses another rule, with states of its own: adam({.amsgrad = true}).
struct required_flag {
  constexpr required_flag(bool b) : value(b) {}
  bool value;
  constexpr operator double() const { return value ? 1.0 : 0.0; }
};

}  // namespace tapeless
