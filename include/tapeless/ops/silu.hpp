// SPDX-License-Identifier: BSL-1.0
// silu(x): the sigmoid linear unit (Elfwing et al., 2018), also known as swish.
#pragma once

#include <tapeless/ops/primitives.hpp>

namespace tapeless {

struct silu_rule {
  static constexpr std::string_view name = "silu";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return x * sigmoid(x); }
};

/// x sigmoid(x), element by element.
constexpr value silu(is_value auto x) { return make<silu_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto silu(expression_operand auto x) {
  return make<silu_rule>(x);
}

}  // namespace tapeless
