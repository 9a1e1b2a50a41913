// SPDX-License-Identifier: BSL-1.0
// What a rule is made of: transformations that turn a gradient into an update, as expressions that are fused
// and planned like everything else.
#pragma once

#include <array>

#include <tapeless/ops/primitives.hpp>
#include <tapeless/optim/hyperparameter.hpp>

namespace tapeless {

/// What a transformation sees of its place in a program, while the graph of a step is built.
class rule_context {
 public:
  rule_context(const rule_context&) = delete;
  constexpr rule_context(value parameter, value gradient, int first_state)
      : g_(*parameter.owner), parameter_(parameter), gradient_(gradient), state_(first_state) {}

  constexpr value parameter() const { return parameter_; }
  /// The number of the step, counted from 1.
  constexpr value step() const { return make_hyperparameter(g_, 0); }
  /// The transformation's own hyperparameter number i.
  constexpr value hyper(int i) const { return make_hyperparameter(g_, 1 + first_hyper_ + i); }
  /// The next of the transformation's states: as the parameter in shape, zero at first.
  template <name Label>
  constexpr value state() {
    return make_state(g_, &interned<Label>, parameter_, state_++);
  }
  /// From the next step on, the state (or parameter) has this value.
  constexpr void set(value target, value next) {
    g_.effects.push({target.id, expand(next, shape_of(target)).id, gradient_.id});
  }

  constexpr void begin_transform(int first_hyper) { first_hyper_ = first_hyper; }

 private:
  graph& g_;
  value parameter_;
  value gradient_;
  int state_;
  int first_hyper_ = 0;
};

/// Base of the gradient transformations. One has
///   hyper_names                        its hyperparameters' names
///   states                             how many states it keeps for a parameter
///   transform(context, g) -> value     the update (or next gradient) from the gradient
template <int Hypers>
struct gradient_transform {
  std::array<hyperparameter, Hypers> hypers;
};

template <class T>
concept is_gradient_transform = requires {
  T::hyper_names;
  T::states;
  &T::transform;
};

}  // namespace tapeless
