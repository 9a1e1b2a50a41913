// SPDX-License-Identifier: BSL-1.0
// threshold(x, limit, otherwise): x above a limit, another number elsewhere.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct threshold_operation {
  static constexpr std::string_view name = "threshold";
  static constexpr int arity = 3;
  static constexpr value build(value x, value limit, value otherwise) {
    return where(x > limit, x, otherwise);
  }
};

/// x for x > limit, `otherwise` elsewhere, element by element; shapes broadcast.
/// @formula y = x for x > limit, else otherwise
/// @shapes three of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.nn.functional.threshold
/// @jax jnp.where(x > limit, x, otherwise)
/// @given x = [-2, 0.5, 3]
/// @gives tl::threshold(x, 0.5_c, 20_c) = [20, 20, 3]
template <class X, class A, class B>
  requires value_operands<X, A, B>
constexpr value threshold(X x, A limit, B otherwise) {
  return make<threshold_operation>(x, limit, otherwise);
}
template <class X, class A, class B>
  requires expression_operands<X, A, B>
TAPELESS_FACTORY auto threshold(X x, A limit, B otherwise) {
  return make<threshold_operation>(x, limit, otherwise);
}

// Its numbers as template arguments, which are refused.
template <plain_number auto Limit, plain_number auto... Otherwise, class... X>
constexpr auto threshold(const X&... x) {
  return detail::refuse_call<sentence{"threshold"}, detail::numbers_are_arguments,
                             sentence{"(x, 0.5_c, 20_c)"}>(x...);
}

}  // namespace tapeless
