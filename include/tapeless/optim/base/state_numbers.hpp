// SPDX-License-Identifier: BSL-1.0
// Which state of a training program has which number.
#pragma once

namespace tapeless {

/// The numbers of the states of all programs that train a model with so many parameters and buffers. First
/// come the sums of gradients, one for each parameter and buffer; then the rule's own, in the order in which
/// it asks for them.
struct state_numbers {
  int parameters = 0;

  static constexpr int gradient_of(int parameter) { return parameter; }
  constexpr int first_of_rule() const { return parameters; }
  /// Where the rule changes its loss scale, that is its first state.
  constexpr int loss_scale() const { return first_of_rule(); }
  /// The first that a rule may give out, with or without such a loss scale.
  constexpr int first_free(bool has_loss_scale) const { return first_of_rule() + (has_loss_scale ? 1 : 0); }
};

}  // namespace tapeless
