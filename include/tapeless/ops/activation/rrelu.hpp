// SPDX-License-Identifier: BSL-1.0
// rrelu<low, high>(x): the leaky rectifier whose slope is drawn in training (Xu et al., 2015).
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/random/random_like.hpp>

namespace tapeless {

template <double Low, double High>
struct rrelu_statement {
  static constexpr bool built_once = true;
  static constexpr std::string_view name = "rrelu";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    const value slope = x.builder->is_training() ? cast(random_like(x), x.type()) * (High - Low) + Low
                                                 : make_constant(*x.builder, (Low + High) / 2, x.type());
    return where(x > 0.0, x, slope * x);
  }
};

/// x for x > 0, slope x otherwise: in training each element has a slope of its own, uniform in [Low, High),
/// in evaluation it is (Low + High) / 2. The slopes depend on the trainer's seed, the step and the place in
/// the model.
/// @formula y = x for x > 0, else slope x; in evaluation slope = (Low + High) / 2
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.rrelu
/// @jax none: jax.nn.leaky_relu with random slopes
/// @given x = [-2, 0, 3]
/// @gives tl::rrelu<0.1, 0.3>(x) = [-0.4, 0, 3]
template <double Low = 1.0 / 8, double High = 1.0 / 3>
  requires(Low <= High)
TAPELESS_FACTORY auto rrelu(expression_operand auto x) {
  return make<rrelu_statement<Low, High>>(x);
}

}  // namespace tapeless
