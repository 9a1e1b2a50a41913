// SPDX-License-Identifier: BSL-1.0
// selu(x): the self-normalizing exponential linear unit (Klambauer et al., 2017).
#pragma once

#include <tapeless/ops/activation/elu.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct selu_operation {
  static constexpr std::string_view name = "selu";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    constexpr double scale = 1.0507009873554804934193349852946, alpha = 1.6732632423543772848170429916717;
    return scale * elu(x, alpha);
  }
};

/// s x for x > 0, s alpha (e^x - 1) otherwise, element by element, with the constants of the paper, for which
/// outputs keep mean 0 and variance 1.
/// @formula y = 1.0507 x for x > 0, 1.0507 * 1.67326 (e^x - 1) otherwise
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.selu
/// @jax jax.nn.selu
/// @given x = [-2, 0, 3]
/// @gives tl::selu(x) = [-1.52, 0, 3.152]
constexpr value selu(is_value auto x) { return make<selu_operation>(x); }
TAPELESS_FACTORY auto selu(expression_operand auto x) { return make<selu_operation>(x); }

}  // namespace tapeless
