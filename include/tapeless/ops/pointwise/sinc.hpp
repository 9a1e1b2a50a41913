// SPDX-License-Identifier: BSL-1.0
// sinc(x): sin(pi x) / (pi x).
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/floor.hpp>
#include <tapeless/ops/pointwise/round.hpp>
#include <tapeless/ops/pointwise/sin.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

/// sin(pi x), exact for whole numbers and halves: the distance to the nearest whole number n has no error.
constexpr value sin_of_pi(value x) {
  const value n = round(x), odd = n - 2.0 * floor(0.5 * n), y = sin(std::numbers::pi * (x - n));
  return where(odd == 0.0, y, -y);
}

}  // namespace detail

struct sinc_operation : composed_operation<sinc_operation, 1> {
  static constexpr std::string_view name = "sinc";
  static constexpr value forward(value x) {
    const value near = abs(x) < 0.5, t = square(where(near, x, 0.0)), outside = where(near, 1.0, x);
    const value series = detail::composed_polynomial(
        t, 5.5074589121509655e-14, -3.3481335350440667e-12, 1.7165384749821433e-10, -7.3047118222177748e-9,
        2.5312174041370277e-7, -6.9758736616563805e-6, 0.000148428793031071, -0.0023460810354558236,
        0.026147847817654801, -0.19075182412208421, 0.81174242528335364, -1.6449340668482264, 1.0);
    return where(near, series, detail::sin_of_pi(outside) / (std::numbers::pi * outside));
  }
};

/// sin(pi x) / (pi x), element by element: 1 at 0, 0 at all other whole numbers. Derivatives of every order
/// are those of its series near 0.
/// @formula y = sin(pi x) / (pi x), 1 for x = 0
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.sinc
/// @jax jnp.sinc
/// @given x = [-0.5, 0, 1.25]
/// @gives tl::sinc(x) = [0.6366, 1, -0.1801]
constexpr value sinc(is_value auto x) { return make<sinc_operation>(x); }
TAPELESS_FACTORY auto sinc(expression_operand auto x) { return make<sinc_operation>(x); }

}  // namespace tapeless
