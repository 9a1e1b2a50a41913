// SPDX-License-Identifier: BSL-1.0
// clamp(x, low, high): what is outside the bounds is moved to them.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct clamp_operation {
  static constexpr std::string_view name = "clamp";
  static constexpr int arity = 3;
  static constexpr value build(value x, value low, value high) {
    const value all[] = {x, low, high};
    element type{};
    if (!detail::common_type(all, 0, arity, type)) return detail::types_differ(name, all, 0, arity);
    const value raised = where(x < low, low, x);
    return where(raised > high, high, raised);
  }
};

/// low for x < low, high for x > high, x otherwise (NaN for NaN), element by element; shapes broadcast. At a
/// bound the derivative is x's.
/// @formula y = min(max(x, low), high)
/// @shapes three of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds numbers_as_template_arguments
/// @torch torch.clamp
/// @jax jnp.clip
/// @given x = [-2, 0.5, 3]
/// @gives tl::clamp(x, -1_c, 1_c) = [-1, 0.5, 1]
template <class X, class L, class H>
  requires value_operands<X, L, H>
constexpr value clamp(X x, L low, H high) {
  return make<clamp_operation>(x, low, high);
}
template <class X, class L, class H>
  requires expression_operands<X, L, H>
TAPELESS_FACTORY auto clamp(X x, L low, H high) {
  return make<clamp_operation>(x, low, high);
}

// Its numbers as template arguments, which are refused.
template <plain_number auto Low, plain_number auto... High, class... X>
constexpr auto clamp(const X&... x) {
  return detail::refuse_call<sentence{"clamp"}, detail::numbers_are_arguments, sentence{"(x, 0_c, 1_c)"}>(
      x...);
}

}  // namespace tapeless
