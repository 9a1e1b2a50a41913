// SPDX-License-Identifier: BSL-1.0
// min(a, b): the smaller one; equal operands share the gradient evenly.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/equal.hpp>
#include <tapeless/ops/primitive/less.hpp>
#include <tapeless/ops/primitive/where.hpp>

namespace tapeless {

struct min_rule : pointwise_rule<min_rule, 2> {
  static constexpr std::string_view name = "min";
  static constexpr auto apply(auto a, auto b) { return smaller(a, b); }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto) {
    const auto wins = k == 0 ? a < b : b < a;
    return where(wins, g, where(a == b, 0.5 * g, 0.0));
  }
};

/// the smaller of a and b, element by element; shapes broadcast.
template <class A, class B>
  requires value_operands<A, B>
constexpr value min(A a, B b) {
  return make<min_rule>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto min(A a, B b) {
  return make<min_rule>(a, b);
}

}  // namespace tapeless
