// SPDX-License-Identifier: BSL-1.0
// neg(x): the negative.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct neg_operation : pointwise_operation<neg_operation, 1> {
  static constexpr std::string_view name = "neg";
  static constexpr auto apply(auto x) {
    if constexpr (std::is_integral_v<decltype(x)>)
      return detail::wrapped_difference(decltype(x)(0), x);
    else
      return -x;
  }
  static constexpr value cotangent(auto g, auto, auto) { return -g; }
  static constexpr value simplify(value x);
};

/// -x, element by element. The least integer stays itself, as in NumPy.
/// @formula y = -x; dy/dx = -1
/// @shapes numbers [..] -> [..]
/// @errors element_kinds
/// @torch torch.neg, -x
/// @jax jnp.negative, -x
/// @given x = [-2, 0.5, 3]
/// @gives -x = [2, -0.5, -3]
constexpr value neg(is_value auto x) { return make<neg_operation>(x); }
TAPELESS_FACTORY auto neg(expression_operand auto x) { return make<neg_operation>(x); }
constexpr value operator-(is_value auto x) { return make<neg_operation>(x); }
TAPELESS_FACTORY auto operator-(expression_operand auto x) { return make<neg_operation>(x); }

// Here, since the operation needs its cotangent, which needs the operator.
constexpr value neg_operation::simplify(value x) {
  return x.is(operation_of<neg_operation>) ? x.operand(0) : value{};
}

template <std::same_as<value> Value>
constexpr maybe<double> detail::known_number(Value x) {
  if (is_constant(x)) return x.get().number;
  const bool wraps = x.type() == element::u8 || x.type() == element::u32 || x.type() == element::boolean;
  const bool is_negative = !wraps && x.is(operation_of<neg_operation>);
  return is_negative && is_constant(x.operand(0)) ? -x.operand(0).get().number : maybe<double>();
}

}  // namespace tapeless
