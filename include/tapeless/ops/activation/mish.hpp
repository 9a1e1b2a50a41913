// SPDX-License-Identifier: BSL-1.0
// mish(x): a smooth, self-gated activation (Misra, 2019).
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/greater.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

inline constexpr double mish_end = 40;  // from here on it is x, in every type

}  // namespace detail

struct mish_operation : pointwise_operation<mish_operation, 1> {
  static constexpr std::string_view name = "mish";
  static constexpr element_kind takes = element_kind::floating;
  /// tanh(log(1 + p)) = p (p + 2) / (p (p + 2) + 2) with p = e^x.
  static constexpr auto apply(auto x) {
    const auto two = number_like(x, 2);
    const auto power = exponential_of(limited_above(x, number_like(x, detail::mish_end)));
    const auto product = power.mantissa * (power.value() + two);
    return power.scaled(limited_below(x, number_like(x, -exponential_end)) *
                        (product / (power.scaled(product) + two)));
  }
  /// t + x (1 - t^2) sigmoid(x) with t = tanh(log(1 + e^x)). x is limited where t is 0 or 1, so that nothing
  /// is infinite.
  static constexpr value cotangent(auto g, auto x, auto) {
    const value above = where(x < -exponential_end, -exponential_end, x);
    const value near = where(above > detail::mish_end, detail::mish_end, above), power = exp(near);
    const value product = power * (power + 2.0), rest = product + 2.0;
    return g * (product / rest + near * (4.0 * (power * (1.0 + power) / rest) / rest));
  }
};

/// x tanh(softplus(x)), element by element.
/// @formula y = x tanh(log(1 + e^x))
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.mish
/// @jax jax.nn.mish
/// @given x = [-1, 0, 2]
/// @gives tl::mish(x) = [-0.3034, 0, 1.944]
constexpr value mish(is_value auto x) { return make<mish_operation>(x); }
TAPELESS_FACTORY auto mish(expression_operand auto x) { return make<mish_operation>(x); }

}  // namespace tapeless
