// SPDX-License-Identifier: BSL-1.0
// neg(x): the negative.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>

namespace tapeless {

struct neg_rule : pointwise_rule<neg_rule, 1> {
  static constexpr std::string_view name = "neg";
  static constexpr auto apply(auto x) { return -x; }
  static constexpr value cotangent(auto g, auto, auto) { return -g; }
  static constexpr value simplify(auto x) { return x.is("neg") ? x.operand(0) : value{}; }
};

/// -x, element by element.
constexpr value neg(is_value auto x) { return make<neg_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto neg(expression_operand auto x) {
  return make<neg_rule>(x);
}
constexpr value operator-(is_value auto x) { return make<neg_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto operator-(expression_operand auto x) {
  return make<neg_rule>(x);
}

}  // namespace tapeless
