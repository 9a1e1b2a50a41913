// SPDX-License-Identifier: BSL-1.0
// geglu<axis>(x): one half of x, gated by gelu of the other (Shazeer, 2020).
#pragma once

#include <tapeless/ops/activation/gelu.hpp>
#include <tapeless/ops/activation/glu.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <int Axis, approximation By>
struct geglu_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return detail::of_halves("geglu", x, Axis, [](value gate, value up) { return gelu<By>(gate) * up; });
  }
};

/// gelu(gate) up, where the gate is the first half of x along the axis, the last one where none is given, and
/// up the second, as in swiglu; geglu<-1, approximation::tanh> has gelu<approximation::tanh>. In glu, and in
/// GEGLU of diffusers, the gate is the second half.
/// @formula y = a b (1 + erf(a / sqrt(2))) / 2, x = [a, b]
/// @shapes floating [.., 2n, ..] -> [.., n, ..]
/// @errors glu
/// @torch none: torch.nn.functional.gelu(gate) * up
/// @jax jax.nn.gelu(gate, approximate=False) * up
/// @given x = [[1, 2, 3, 2]]
/// @gives tl::geglu(x) = [[2.524, 3.909]]
template <int Axis = -1, approximation By = approximation::none>
constexpr value geglu(is_value auto x) {
  return make<geglu_statement<Axis, By>>(x);
}
template <int Axis = -1, approximation By = approximation::none>
TAPELESS_FACTORY auto geglu(expression_operand auto x) {
  return make<geglu_statement<Axis, By>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous geglu(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
