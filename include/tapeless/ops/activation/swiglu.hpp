// SPDX-License-Identifier: BSL-1.0
// swiglu<axis>(x): one half of x, gated by silu of the other (Shazeer, 2020).
#pragma once

#include <tapeless/ops/activation/glu.hpp>
#include <tapeless/ops/activation/silu.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <int Axis>
struct swiglu_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return detail::of_halves("swiglu", x, Axis, [](value gate, value up) { return silu(gate) * up; });
  }
};

/// silu(gate) up, where the gate is the first half of x along the axis, the last one where none is given, and
/// up the second: the order of gate_up_proj in LLaMA's kind of models. glu's gate is the second half. Of two
/// projections with weights of their own it is silu(gate) * up.
/// @formula y = a b / (1 + e^-a), x = [a, b]
/// @shapes floating [.., 2n, ..] -> [.., n, ..]
/// @errors glu
/// @torch none: torch.nn.functional.silu(gate) * up
/// @jax jax.nn.silu(gate) * up
/// @given x = [[1, 2, 0, 3]]
/// @gives tl::swiglu(x) = [[0, 5.285]]
template <int Axis = -1>
constexpr value swiglu(is_value auto x) {
  return make<swiglu_statement<Axis>>(x);
}
template <int Axis = -1>
TAPELESS_FACTORY auto swiglu(expression_operand auto x) {
  return make<swiglu_statement<Axis>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous swiglu(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
