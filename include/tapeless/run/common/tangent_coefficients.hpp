// SPDX-License-Identifier: BSL-1.0
// The hyperbolic tangent of floats, as a quotient of polynomials in s = x^2, within 2.3e-8, relatively:
//   tanh(x) = x (1 + a1 s + a2 s^2 + a3 s^3 + a4 s^4) / (1 + b1 s + b2 s^2 + b3 s^3 + b4 s^4)
#pragma once

namespace tapeless::tangent_coefficients {

inline constexpr double a1 = 0.13382573378, a2 = 3.4973259557e-3, a3 = 2.0633798505e-5, a4 = 1.3381756701e-8;
inline constexpr double b1 = 0.46715894494, b2 = 2.5883850605e-2, b3 = 3.2883081250e-4, b4 = 7.7891548439e-7;
/// Beyond, it is 1.
inline constexpr double end = 9.02;

}  // namespace tapeless::tangent_coefficients
