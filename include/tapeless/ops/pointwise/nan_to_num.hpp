// SPDX-License-Identifier: BSL-1.0
// nan_to_num(x, nan, infinity, negative_infinity): finite numbers in place of others.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

/// Of x and up to three numbers in place of NaN, infinity and -infinity.
template <int Operands>
struct nan_to_num_operation : composed_operation<nan_to_num_operation<Operands>, Operands> {
  static constexpr std::string_view name = "nan_to_num";
  static constexpr element_kind takes = element_kind::numbers;
  static constexpr bool in_float = false;
  template <class... Others>
  static constexpr value forward(value x, Others... others) {
    if (!is_floating(x.type())) return x;
    const double largest = detail::largest_finite(x.type());
    graph& g = *x.builder;
    value all[] = {make_constant(g, 0), make_constant(g, largest), make_constant(g, -largest)};
    int given = 0;
    ((all[given++] = others), ...);
    return where(x != x, all[0], where(x > largest, all[1], where(x < -largest, all[2], x)));
  }
};

/// x, with 0 in place of NaN, the largest finite number in place of infinity and the lowest in place of
/// -infinity, or what is given for them. Element by element; shapes broadcast. Where x is replaced the
/// derivative is 0.
/// @formula y = x where x is finite, else its stand-in
/// @shapes numbers [..] -> [..]
/// @errors element_kinds element_types_do_not_mix numbers_as_template_arguments
/// @torch torch.nan_to_num
/// @jax jnp.nan_to_num
/// @given x = [-1.5, 0, 2]
/// @gives tl::nan_to_num(x / tl::floor(x / 2_c), 0_c, 9_c) = [1.5, 0, 2]
template <class X, class... Others>
  requires(value_operands<X, Others...> && sizeof...(Others) <= 3)
constexpr value nan_to_num(X x, Others... others) {
  return make<nan_to_num_operation<1 + sizeof...(Others)>>(x, others...);
}
template <class X, class... Others>
  requires(expression_operands<X, Others...> && sizeof...(Others) <= 3)
TAPELESS_FACTORY auto nan_to_num(X x, Others... others) {
  return make<nan_to_num_operation<1 + sizeof...(Others)>>(x, others...);
}

// Its numbers as template arguments, which are refused.
template <plain_number auto First, plain_number auto... More, class... X>
constexpr auto nan_to_num(const X&... x) {
  return detail::refuse_call<sentence{"nan_to_num"}, detail::numbers_are_arguments, sentence{"(x, 0_c)"}>(
      x...);
}

}  // namespace tapeless
