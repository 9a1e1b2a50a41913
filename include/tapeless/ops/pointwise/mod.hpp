// SPDX-License-Identifier: BSL-1.0
// mod(a, b): the remainder with the sign of b.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/fmod.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

struct mod_operation {
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
  return make<mod_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto mod(A a, B b) {
  return make<mod_operation>(a, b);
}

}  // namespace tapeless
