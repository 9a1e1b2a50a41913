// SPDX-License-Identifier: BSL-1.0
// norm<axes...>(x), norm<axes...>(x, order<1>): the length of vectors.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/pow.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/reduction/reduction_options.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

namespace detail {

/// The largest of the sizes, none of which is below 0: 0 where there is none.
constexpr value largest_size(value sizes, unsigned axes, bool keep) {
  value y = max_reduction_operation::build(sizes, axes, keep);
  for (int i = 0; i < sizes.rank(); ++i)
    if ((axes >> i & 1u) != 0 && sizes.get().shape[i] <= 0) return max(y, 0.0);
  return y;
}

}  // namespace detail

template <double Order>
struct norm_operation {
  static constexpr std::string_view name = "norm";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::at_least_float(x, [&](value of) { return length(of, axes, keep); });
  }

 private:
  static constexpr value length(value x, unsigned axes, bool keep) {
    if constexpr (Order == 1) {
      return sum_operation::build(abs(x), axes, keep);
    } else if constexpr (Order == 2) {
      const value total = sum_operation::build(square(x), axes, keep), zero = total == 0.0;
      return where(zero, 0.0, sqrt(where(zero, 1.0, total)));
    } else if constexpr (Order == infinity) {
      return detail::largest_size(abs(x), axes, keep);
    } else if constexpr (Order == -infinity) {
      return min_reduction_operation::build(abs(x), axes, keep);
    } else if constexpr (Order == 0) {
      const value one = make_constant(*x.builder, 1, x.type());
      return sum_operation::build(where(x == 0.0, 0.0, one), axes, keep);
    } else {
      static_assert(Order == Order, "tapeless: norm takes an order that is a number, or infinity");
      return of_any_order(x, axes, keep);
    }
  }
  // With the largest element taken out, on which the result does not depend, so that no power overflows;
  // where it is infinite, so is the result. With an order below 0 the smallest one: where it is 0, so is the
  // result.
  static constexpr value of_any_order(value x, unsigned axes, bool keep) {
    const value size = abs(x), zero = size == 0.0;
    const auto scale = [&](bool kept) {
      value one;
      if constexpr (Order > 0) {
        one = max_reduction_operation::build(size, axes, kept);
      } else {
        one = min_reduction_operation::build(size, axes, kept);
      }
      one = stop_gradient(one);
      return where(one == 0.0 || one == infinity, 1.0, one);
    };
    const value power = where(zero, 0.0, pow(where(zero, 1.0, size / scale(true)), Order));
    value total = sum_operation::build(power, axes, keep), none = total == 0.0;
    if constexpr (Order < 0) none = none || min_reduction_operation::build(size, axes, keep) == 0.0;
    return where(none, 0.0, scale(keep) * pow(where(none, 1.0, total), 1.0 / Order));
  }
};

/// (sum |x|^P)^(1/P) over Axes (all where none is named), which are dropped. Behind x, in any order: order<P>
/// (2 where it is not given; order<infinity>: the largest |x|, order<-infinity>: the smallest; order<0>: how
/// many are not 0), and keep_dims, with which the axes stay with extent 1. The gradient of zeros is 0; for
/// infinite orders ties share it evenly. Order 2 adds up the squares themselves, as others do: they must not
/// overflow, or vanish.
/// @formula y = (sum_i |x_i|^P)^(1/P)
/// @shapes floating [..] -> without the axes
/// @errors reduction_axis
/// @torch torch.linalg.vector_norm
/// @jax jnp.linalg.norm
/// @given x = [[3, 4], [6, -8]]
/// @gives tl::norm<1>(x) = [5, 10]
/// @gives tl::norm<1>(x, tl::order<1>) = [7, 14]
template <axis_number auto... Axes, reduction_operand X, norm_option... Options>
TAPELESS_FACTORY auto norm(X x, Options...) {
  constexpr detail::reduction_options o = detail::options_of<Options...>();
  return make<reduction_statement<norm_operation<o.order>, o.keep, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous norm(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
