// SPDX-License-Identifier: BSL-1.0
// mod(a, b): the remainder with the sign of b.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/fmod.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct mod_operation {
  static constexpr std::string_view name = "mod";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    const value rest = fmod(a, b);
    return where(rest != 0.0 && (rest < 0.0) != (b < 0.0), rest + b, rest);
  }
};

/// a - b*floor(a/b), without rounding, as Python's a % b; of whole numbers 0 where b is 0. Element by
/// element; shapes broadcast. The derivative by b is -floor(a/b), and NaN where y is.
/// @formula y = a - b floor(a / b); dy/da = 1, dy/db = -floor(a / b)
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.remainder, a % b
/// @jax jnp.mod, a % b
/// @given a = [-5, 5, 5.5]; b = [3, 3, 2]
/// @gives tl::mod(a, b) = [1, 2, 1.5]
template <class A, class B>
  requires value_operands<A, B>
constexpr value mod(A a, B b) {
  return make<mod_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto mod(A a, B b) {
  return make<mod_operation>(a, b);
}

}  // namespace tapeless
