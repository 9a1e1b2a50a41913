// SPDX-License-Identifier: BSL-1.0
// lerp(a, b, weight): the way from a to b.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct lerp_operation : composed_operation<lerp_operation, 3> {
  static constexpr std::string_view name = "lerp";
  static constexpr value forward(value a, value b, value weight) {
    const value way = b - a;
    return where(weight < 0.5, a + weight * way, b - way * (1.0 - weight));
  }
};

/// a + weight (b - a), element by element, from b's side for weights from 1/2 on: exactly a at 0 and b at 1.
/// Shapes broadcast.
/// @formula y = a + weight (b - a)
/// @shapes three of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.lerp
/// @jax a + weight * (b - a)
/// @given a = [0, 0, 10]; b = [4, 4, 20]
/// @gives tl::lerp(a, b, 0.25_c) = [1, 1, 12.5]
template <class A, class B, class W>
  requires value_operands<A, B, W>
constexpr value lerp(A a, B b, W weight) {
  return make<lerp_operation>(a, b, weight);
}
template <class A, class B, class W>
  requires expression_operands<A, B, W>
TAPELESS_FACTORY auto lerp(A a, B b, W weight) {
  return make<lerp_operation>(a, b, weight);
}

// Its number as a template argument, which is refused.
template <plain_number auto Weight, class... X>
constexpr auto lerp(const X&... x) {
  return detail::refuse_call<sentence{"lerp"}, detail::numbers_are_arguments, sentence{"(a, b, 0.25_c)"}>(
      x...);
}

}  // namespace tapeless
