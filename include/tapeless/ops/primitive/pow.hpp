// SPDX-License-Identifier: BSL-1.0
// pow(a, b): the power; at base 0 its derivative by the exponent is 0.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/equal.hpp>
#include <tapeless/ops/primitive/log.hpp>
#include <tapeless/ops/primitive/where.hpp>

namespace tapeless {

struct pow_rule : pointwise_rule<pow_rule, 2> {
  static constexpr std::string_view name = "pow";
  static auto apply(auto a, auto b) {
    using std::pow;
    return pow(a, b);
  }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto y) {
    if (k == 0) return g * where(b == 0.0, 0.0, b * pow(a, b - 1.0));
    return g * where(a == 0.0, 0.0, y * log(a));
  }
};

/// a^b, element by element; shapes broadcast.
template <class A, class B>
  requires value_operands<A, B>
constexpr value pow(A a, B b) {
  return make<pow_rule>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
constexpr auto pow(A a, B b) {
  return make<pow_rule>(a, b);
}

}  // namespace tapeless
