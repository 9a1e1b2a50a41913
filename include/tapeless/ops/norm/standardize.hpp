// SPDX-License-Identifier: BSL-1.0
// Values less their mean, divided by their standard deviation: what the normalization layers share.
#pragma once

#include <tapeless/expr/param.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/reduction/mean.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

/// An alias of y, which is made from x and the deviation s, with a derivative that is smaller than that of
/// its parts: (g - mean(g) - y mean(g y)) / s, without mean(g) where no mean was taken off. For x of 16 bits
/// all is computed in float.
template <bool Centered>
struct standardize_operation {
  static constexpr value cotangent_of(int k, value g, const value* operands, value y) {
    if (k != 1) return {};
    const value deviation = operands[2];
    const unsigned axes = sum_operation::reduced_axes(y, deviation);
    const value across = Centered ? g - mean_operation::build(g, axes, true) : g;
    return (across - y * mean_operation::build(g * y, axes, true)) / deviation;
  }
  static constexpr operation op{"normalization", family::alias, jacobian::general, &cotangent_of};

  static constexpr value build(value x, unsigned axes, double eps) {
    return detail::at_least_float(x, [&](value of) { return standardized(of, axes, eps); });
  }

 private:
  static constexpr value standardized(value x, unsigned axes, double eps) {
    const value c = Centered ? x - mean_operation::build(x, axes, true) : x;
    const value deviation = sqrt(mean_operation::build(square(c), axes, true) + eps), y = c / deviation;
    node n = detail::unary_node(op, y, shape_of(y));
    n.operand_count = 3;
    n.operands[1] = x.id;
    n.operands[2] = deviation.id;
    return x.insert(n);
  }
};

namespace detail {

inline constexpr sentence features_are_known{"channels and features are those of x, and are not given"};

/// (x - mean) / sqrt(variance + eps), with the biased variance, over the axes whose bits are set.
constexpr value standardize(value x, unsigned axes, double eps) {
  return standardize_operation<true>::build(x, axes, eps);
}

/// y weight + bias, where these are given.
constexpr value affine(value y, value weight, value bias) {
  if (weight.exists()) y = y * weight;
  return bias.exists() ? y + bias : y;
}

/// The failed value of a normalization whose weight or bias is not of x's type and of `shape`; {} where all
/// is well. A weight may be a number.
constexpr value misfit(std::string_view op, value x, const shape_list& shape, value weight, value bias,
                       std::string_view takes) {
  if (weight.exists() && weight.type() != element::number &&
      !(weight.type() == x.type() && shape_of(weight) == shape))
    return do_not_fit(op, {{"x", x}, {"a weight", weight}}, takes);
  if (bias.exists() && !(bias.type() == x.type() && shape_of(bias) == shape))
    return do_not_fit(op, {{"x", x}, {"a bias", bias}}, takes);
  return {};
}

constexpr bool is_literal(const shape_list& s) {
  for (int i = 0; i < s.rank; ++i)
    if (!extent_table::is_literal(s.extents[i])) return false;
  return true;
}

}  // namespace detail

}  // namespace tapeless
