// SPDX-License-Identifier: BSL-1.0
// min(a, b): the smaller one; equal operands share the gradient evenly.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct min_operation : pointwise_operation<min_operation, 2> {
  static constexpr std::string_view name = "min";
  static constexpr auto apply(auto a, auto b) { return smaller(a, b); }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto) {
    const auto wins = k == 0 ? a < b : b < a;
    return where(wins, g, where(a == b, 0.5 * g, 0.0));
  }
};

/// the smaller of a and b, element by element; shapes broadcast.
/// @formula y = a where a < b, else b; where they are equal each gets half of the gradient
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.minimum
/// @jax jnp.minimum
/// @given a = [1, 5, 3]; b = [4, 2, 3]
/// @gives tl::min(a, b) = [1, 2, 3]
template <class A, class B>
  requires value_operands<A, B>
constexpr value min(A a, B b) {
  return make<min_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto min(A a, B b) {
  return make<min_operation>(a, b);
}

}  // namespace tapeless
