// SPDX-License-Identifier: BSL-1.0
// The laws for element-by-element operations of one operand that have kernels of their own, the rest.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(exp2, 5, 5, -2, 2, tl::exp2(z))
TAPELESS_LAW(log2, 5, 5, 0.5, 2, tl::log2(z))
TAPELESS_LAW(asin, 5, 5, -0.8, 0.8, tl::asin(z))
TAPELESS_LAW(acos, 5, 5, -0.8, 0.8, tl::acos(z))
TAPELESS_LAW(atan, 5, 5, -2, 2, tl::atan(z))
TAPELESS_LAW(sinh, 5, 5, -2, 2, tl::sinh(z))
TAPELESS_LAW(cosh, 5, 5, -2, 2, tl::cosh(z))
TAPELESS_LAW(round_and_trunc, 5, 5, -3, 3, tl::round(z) * z + tl::trunc(z) * tl::sin(z))
TAPELESS_LAW(atan2, 9, 6, -1, 1, tl::atan2(part<0, 2, 3>(z), part<6, 3>(z)))
TAPELESS_LAW(fmod, 8, 6, 0.5, 2, tl::fmod(3_c * part<0, 2, 3>(z), part<6, 2, 1>(z)))
