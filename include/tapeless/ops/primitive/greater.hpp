// SPDX-License-Identifier: BSL-1.0
// a > b: whether a is above b. No derivative flows.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>

namespace tapeless {

struct greater_rule : pointwise_rule<greater_rule, 2> {
  static constexpr std::string_view name = ">";
  static constexpr element result = element::boolean;
  static constexpr auto apply(auto a, auto b) { return a > b; }
  static constexpr value cotangent(int, auto, auto, auto, auto) { return {}; }
};

/// a > b, as booleans, element by element; shapes broadcast.
template <class A, class B>
  requires value_operands<A, B>
constexpr value operator>(A a, B b) {
  return make<greater_rule>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto operator>(A a, B b) {
  return make<greater_rule>(a, b);
}

}  // namespace tapeless
