// SPDX-License-Identifier: BSL-1.0
// The laws for element-by-element operations of one operand.
#include "laws/laws.hpp"

TAPELESS_LAW(neg, 5, 5, -1, 1, -z)
TAPELESS_LAW(abs, 5, 5, -1, 1, tl::abs(z))
TAPELESS_LAW(sign, 5, 5, -1, 1, tl::sign(z) * z)
TAPELESS_LAW(square, 5, 5, -1, 1, tl::square(z))
TAPELESS_LAW(sqrt, 5, 5, 0.5, 2, tl::sqrt(z))
TAPELESS_LAW(exp, 5, 5, -1, 1, tl::exp(z))
TAPELESS_LAW(expm1, 5, 5, -1, 1, tl::expm1(z))
TAPELESS_LAW(log, 5, 5, 0.5, 2, tl::log(z))
TAPELESS_LAW(log1p, 5, 5, -0.5, 1, tl::log1p(z))
TAPELESS_LAW(relu, 5, 5, -1, 1, tl::relu(z))
