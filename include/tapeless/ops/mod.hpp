// SPDX-License-Identifier: BSL-1.0
// mod(a, b): the remainder with the sign of b.
#pragma once

#include <tapeless/ops/primitives.hpp>

namespace tapeless {

struct mod_rule {
  static constexpr std::string_view name = "mod";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    const value rest = fmod(a, b);
    return where(rest != 0.0 && (rest < 0.0) != (b < 0.0), rest + b, rest);
  }
};

/// a - b*floor(a/b), without rounding, as Python's a % b; of whole numbers undefined where b is 0. Element by
/// element; shapes broadcast. The derivative by b is -floor(a/b).
template <class A, class B>
  requires value_operands<A, B>
constexpr value mod(A a, B b) {
  return make<mod_rule>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto mod(A a, B b) {
  return make<mod_rule>(a, b);
}

}  // namespace tapeless
