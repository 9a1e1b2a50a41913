// SPDX-License-Identifier: BSL-1.0
// normal_cdf(x): the probability that a normal variable is below x, which gelu is made of. An operation of
// its own, so that its derivative needs nothing but x.
#pragma once

#include <cmath>
#include <numbers>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/exp.hpp>

namespace tapeless {

struct normal_cdf_rule : pointwise_rule<normal_cdf_rule, 1> {
  static constexpr std::string_view name = "normal_cdf";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::erf;
    return number_like(x, 0.5) * (number_like(x, 1) + erf(x * number_like(x, 0.5 * std::numbers::sqrt2)));
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    return g * (0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi * exp(-0.5 * (x * x)));
  }
};

/// (1 + erf(x/sqrt(2)))/2, element by element.
constexpr value normal_cdf(is_value auto x) { return make<normal_cdf_rule>(x); }

}  // namespace tapeless
