// SPDX-License-Identifier: BSL-1.0
// max(a, b): the larger one; equal operands share the gradient evenly.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/greater.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct max_operation : pointwise_operation<max_operation, 2> {
  static constexpr std::string_view name = "max";
  static constexpr auto apply(auto a, auto b) { return larger(a, b); }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto) {
    const auto wins = k == 0 ? a > b : b > a;
    return where(wins, g, where(a == b, 0.5 * g, 0.0));
  }
};

/// the larger of a and b, element by element; shapes broadcast.
/// @formula y = a where a > b, else b; where they are equal each gets half of the gradient
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.maximum
/// @jax jnp.maximum
/// @given a = [1, 5, 3]; b = [4, 2, 3]
/// @gives tl::max(a, b) = [4, 5, 3]
template <class A, class B>
  requires value_operands<A, B>
constexpr value max(A a, B b) {
  return make<max_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto max(A a, B b) {
  return make<max_operation>(a, b);
}

}  // namespace tapeless
