// SPDX-License-Identifier: BSL-1.0
// gelu(x), gelu<approximation::tanh>(x): the Gaussian error linear unit (Hendrycks and Gimpel, 2016).
#pragma once

#include <tapeless/ops/activation/gelu_erf.hpp>
#include <tapeless/ops/activation/gelu_tanh.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

/// How gelu is computed: as it is defined, or by the tanh that comes near it.
enum class approximation : std::uint8_t { none, tanh };

template <approximation By>
struct gelu_operation {
  static constexpr std::string_view name = "gelu";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if constexpr (By == approximation::none) {
      return gelu_erf_operation::build(x);
    } else {
      return gelu_tanh_operation::build(x);
    }
  }
};

/// x (1 + erf(x/sqrt(2)))/2, x times the probability that a normal variable is below it, element by element.
/// gelu<approximation::tanh>: x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))/2.
/// @formula y = x (1 + erf(x / sqrt(2))) / 2
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.gelu
/// @jax jax.nn.gelu(approximate=False)
/// @given x = [-1, 0, 2]
/// @gives tl::gelu(x) = [-0.1587, 0, 1.954]
template <approximation By = approximation::none, is_value X>
constexpr value gelu(X x) {
  return make<gelu_operation<By>>(x);
}
template <approximation By = approximation::none, expression_operand X>
TAPELESS_FACTORY auto gelu(X x) {
  return make<gelu_operation<By>>(x);
}

}  // namespace tapeless
