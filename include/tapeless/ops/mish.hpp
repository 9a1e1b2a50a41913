// SPDX-License-Identifier: BSL-1.0
// mish(x): a smooth, self-gated activation (Misra, 2019).
#pragma once

#include <tapeless/ops/primitives.hpp>

namespace tapeless {

struct mish_rule {
  static constexpr std::string_view name = "mish";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return x * tanh(softplus(x)); }
};

/// x tanh(softplus(x)), element by element.
constexpr value mish(is_value auto x) { return make<mish_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto mish(expression_operand auto x) {
  return make<mish_rule>(x);
}

}  // namespace tapeless
