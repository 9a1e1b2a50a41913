// SPDX-License-Identifier: BSL-1.0
// erfinv(x): the inverse of the error function (Wichura, Algorithm AS 241, 1988).
#pragma once

#include <numbers>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/normal_cdf.hpp>

namespace tapeless {

namespace detail {

/// sqrt(2) erfinv(x) / x for |x| <= 0.85, from t = 0.180625 - x^2/4.
constexpr auto normal_quantile_middle(auto t) {
  return polynomial(t, 2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
                    4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
                    1.3314166789178437745e+2, 3.3871328727963666080) /
         polynomial(t, 5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4,
                    2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2,
                    4.2313330701600911252e+1, 1.0);
}
/// sqrt(2) erfinv(x) for larger x, from t = sqrt(-log((1 - x)/2)) - 1.6, up to t = 3.4.
constexpr auto normal_quantile_outside(auto t) {
  return polynomial(t, 7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                    1.27045825245236838258, 3.64784832476320460504, 5.76949722146069140550,
                    4.63033784615654529590, 1.42343711074968357734) /
         polynomial(t, 1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
                    1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940,
                    2.05319162663775882187, 1.0);
}
/// The same beyond that, from t = sqrt(-log((1 - x)/2)) - 5.
constexpr auto normal_quantile_far(auto t) {
  return polynomial(t, 2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                    2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580,
                    5.46378491116411436990, 6.65790464350110377720) /
         polynomial(t, 2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
                    7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
                    5.99832206555887937690e-1, 1.0);
}

}  // namespace detail

struct erfinv_operation : pointwise_operation<erfinv_operation, 1> {
  static constexpr std::string_view name = "erfinv";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::abs, std::log, std::sqrt;
    const auto zero = number_like(x, 0), one = number_like(x, 1), half = number_like(x, 0.5);
    const auto root_half = number_like(x, 0.5 * std::numbers::sqrt2);
    const auto distance = abs(x), q = half * x;
    // 1 - |x| is exact where it matters
    const auto root = sqrt(-log(half * (one - distance)));
    const auto far = number_like(x, 5) < root;
    const auto quantile =
        choose(far, detail::normal_quantile_far(root - number_like(x, 5)),
               detail::normal_quantile_outside(limited_above(root, number_like(x, 5)) - number_like(x, 1.6)));
    const auto end = choose(distance == one, infinity_like(x), quantile * root_half);
    const auto outside = choose(x < zero, -end, end);
    const auto middle = q * detail::normal_quantile_middle(number_like(x, 0.180625) - q * q) * root_half;
    return choose(distance < number_like(x, 0.85), middle, outside);
  }
  static constexpr value cotangent(auto g, auto, auto y) {
    return g * (0.5 / std::numbers::inv_sqrtpi * exp(y * y));
  }
};

/// The y with erf(y) = x, element by element, of any shape: -infinity at -1, infinity at 1, NaN beyond.
/// Within 8 units in the last place.
/// @formula y with erf(y) = x; dy/dx = sqrt(pi)/2 e^(y^2)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.erfinv
/// @jax jax.scipy.special.erfinv
/// @given x = [-0.5, 0, 0.9]
/// @gives tl::erfinv(x) = [-0.4769, 0, 1.163]
constexpr value erfinv(is_value auto x) { return make<erfinv_operation>(x); }
TAPELESS_FACTORY auto erfinv(expression_operand auto x) { return make<erfinv_operation>(x); }

}  // namespace tapeless
