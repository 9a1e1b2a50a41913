// SPDX-License-Identifier: BSL-1.0
// logical_and(a, b), logical_or(a, b), logical_xor(a, b): conditions, or numbers that are conditions where
// they are not 0.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/as_condition.hpp>

namespace tapeless {

namespace detail {

enum class connective : std::uint8_t { both, one, either };

}  // namespace detail

/// The operands may be of different types.
template <detail::connective How>
struct connective_operation {
  static constexpr std::string_view name = How == detail::connective::both  ? "logical_and"
                                           : How == detail::connective::one ? "logical_xor"
                                                                            : "logical_or";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (How == detail::connective::both) return a && b;
    return How == detail::connective::one ? detail::as_condition(a) != detail::as_condition(b) : a || b;
  }
};

/// Whether a and b are true, where a number is true if it is not 0. Element by element; shapes broadcast. a
/// && b is the same.
/// @formula y = a and b; without a derivative
/// @shapes any two types, whose shapes broadcast -> booleans of the common shape
/// @errors shapes_do_not_fit
/// @torch torch.logical_and
/// @jax jnp.logical_and
/// @given a = [0, 1, 2]; b = [1, 0, -1]
/// @gives tl::logical_and(a, b) = [false, false, true]
template <class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto logical_and(A a, B b) {
  return make<connective_operation<detail::connective::both>>(a, b);
}

/// Whether a or b is true, where a number is true if it is not 0. Element by element; shapes broadcast. a ||
/// b is the same.
/// @formula y = a or b; without a derivative
/// @shapes any two types, whose shapes broadcast -> booleans of the common shape
/// @errors shapes_do_not_fit
/// @torch torch.logical_or
/// @jax jnp.logical_or
/// @given a = [0, 1, 0]; b = [0, 0, -1]
/// @gives tl::logical_or(a, b) = [false, true, true]
template <class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto logical_or(A a, B b) {
  return make<connective_operation<detail::connective::either>>(a, b);
}

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
  return make<connective_operation<detail::connective::one>>(a, b);
}

}  // namespace tapeless
