// SPDX-License-Identifier: BSL-1.0
// The laws for functions of angles, and their hyperbolic kin.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(sin, 5, 5, -2, 2, tl::sin(z))
TAPELESS_LAW(cos, 5, 5, -2, 2, tl::cos(z))
TAPELESS_LAW(tan, 5, 5, -1, 1, tl::tan(z))
TAPELESS_LAW(asin, 5, 5, -0.8, 0.8, tl::asin(z))
TAPELESS_LAW(acos, 5, 5, -0.8, 0.8, tl::acos(z))
TAPELESS_LAW(atan, 5, 5, -2, 2, tl::atan(z))
TAPELESS_LAW(atan2, 9, 6, -1, 1, tl::atan2(part<0, 2, 3>(z), part<6, 3>(z)))
TAPELESS_LAW(sinh, 5, 5, -2, 2, tl::sinh(z))
TAPELESS_LAW(cosh, 5, 5, -2, 2, tl::cosh(z))
TAPELESS_LAW(tanh, 5, 5, -1, 1, tl::tanh(z))
