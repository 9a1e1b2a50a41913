// SPDX-License-Identifier: BSL-1.0
// pow(a, b): the power; at base 0 its derivative by the exponent is 0.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/equal.hpp>
#include <tapeless/ops/primitive/log.hpp>
#include <tapeless/ops/primitive/logical_and.hpp>
#include <tapeless/ops/primitive/square.hpp>
#include <tapeless/ops/primitive/where.hpp>

namespace tapeless {

struct pow_rule : pointwise_rule<pow_rule, 2> {
  static constexpr std::string_view name = "pow";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto a, auto b) {
    using std::pow;
    return pow(a, b);
  }
  /// What is masked is masked before a power or a logarithm could be infinite, so that higher derivatives
  /// are right, too.
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto) {
    if (k == 0) {
      if (is_constant(b) && !is_constant(b, 0)) return g * (b * pow(a, b - 1.0));
      return g * (b * pow(a, where(a == 0.0 && b == 0.0, 1.0, b) - 1.0));
    }
    const auto at_zero = a == 0.0;
    const auto base = where(at_zero, 1.0, a);
    return g * where(at_zero, 0.0, pow(base, b) * log(base));
  }
  static constexpr value simplify(auto a, auto b) {
    if (is_constant(b, 1)) return a;
    return is_constant(b, 2) ? square(a) : value{};
  }
};

/// a^b, element by element; shapes broadcast. At a = 0 the derivative by b is taken as 0, and the one by a is
/// b a^(b-1), 0 where b = 0.
template <class A, class B>
  requires value_operands<A, B>
constexpr value pow(A a, B b) {
  return make<pow_rule>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto pow(A a, B b) {
  return make<pow_rule>(a, b);
}

}  // namespace tapeless
