// SPDX-License-Identifier: BSL-1.0
// fmod(a, b): the remainder with the sign of a.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/round.hpp>

namespace tapeless {

struct fmod_operation : pointwise_operation<fmod_operation, 2> {
  static constexpr std::string_view name = "fmod";
  static constexpr auto apply(auto a, auto b) { return remainder_of(a, b); }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto y) {
    if (k == 0) return g;
    return g * round((y - a) / b);
  }
};

/// a - b*trunc(a/b) without rounding, as std::fmod; of whole numbers the remainder of C++, 0 where b is 0.
/// Element by element; shapes broadcast. The derivative by b is -trunc(a/b), and NaN where y is.
/// @formula y = a - b trunc(a / b); dy/da = 1, dy/db = -trunc(a / b)
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.fmod
/// @jax jnp.fmod
/// @given a = [-5, 5, 5.5]; b = [3, 3, 2]
/// @gives tl::fmod(a, b) = [-2, 2, 1.5]
template <class A, class B>
  requires value_operands<A, B>
constexpr value fmod(A a, B b) {
  return make<fmod_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto fmod(A a, B b) {
  return make<fmod_operation>(a, b);
}

}  // namespace tapeless
