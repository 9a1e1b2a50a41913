// SPDX-License-Identifier: BSL-1.0
// gelu_erf(x): the Gaussian error linear unit as it is defined. An operation of its own, so that it keeps its
// digits where the probability alone would be subnormal.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/normal_cdf.hpp>

namespace tapeless {

struct gelu_erf_operation : pointwise_operation<gelu_erf_operation, 1> {
  static constexpr std::string_view name = "gelu";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    const auto size = detail::near_normal(x);
    return limited_below(x, number_like(x, 0)) - detail::times_normal_tail(size, size);
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    const value near = detail::unless_far(x);
    return g * (normal_cdf(x) + near * detail::normal_density(near));
  }
};

}  // namespace tapeless
