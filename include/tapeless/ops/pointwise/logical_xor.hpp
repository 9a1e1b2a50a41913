// SPDX-License-Identifier: BSL-1.0
// logical_xor(a, b): whether just one of two conditions holds.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/as_condition.hpp>

namespace tapeless {

/// The operands may be of different types.
struct logical_xor_statement {
  static constexpr std::string_view name = "logical_xor";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    return detail::as_condition(a) != detail::as_condition(b);
  }
};

/// Whether just one of a and b is true, where a number is true if it is not 0. Element by element; shapes
/// broadcast.
/// @formula y = either a or b; without a derivative
/// @shapes any two types, whose shapes broadcast -> booleans of the common shape
/// @errors shapes_do_not_fit
/// @torch torch.logical_xor
/// @jax jnp.logical_xor
/// @given a = [0, 1, 2]; b = [1, 0, -1]
/// @gives tl::logical_xor(a, b) = [true, true, false]
template <class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto logical_xor(A a, B b) {
  return make<logical_xor_statement>(a, b);
}

}  // namespace tapeless
