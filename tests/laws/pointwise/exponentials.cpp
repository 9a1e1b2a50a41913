// SPDX-License-Identifier: BSL-1.0
// The laws for exponentials and logarithms.
#include "laws/laws.hpp"

TAPELESS_LAW(exp, 5, 5, -1, 1, tl::exp(z))
TAPELESS_LAW(expm1, 5, 5, -1, 1, tl::expm1(z))
TAPELESS_LAW(exp2, 5, 5, -2, 2, tl::exp2(z))
TAPELESS_LAW(log, 5, 5, 0.5, 2, tl::log(z))
TAPELESS_LAW(log1p, 5, 5, -0.5, 1, tl::log1p(z))
TAPELESS_LAW(log2, 5, 5, 0.5, 2, tl::log2(z))
TAPELESS_LAW(erf, 5, 5, -1, 1, tl::erf(z))
TAPELESS_LAW(many, 5, 5, 0.5, 1, tl::log(tl::tanh(z) + 2_c) / tl::sqrt(1_c + tl::exp(-z * z)))
