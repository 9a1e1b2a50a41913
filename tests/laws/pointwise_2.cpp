// SPDX-License-Identifier: BSL-1.0
// The laws for element-by-element operations of one operand, the rest.
#include "laws/laws.hpp"

TAPELESS_LAW(sin, 5, 5, -2, 2, tl::sin(z))
TAPELESS_LAW(cos, 5, 5, -2, 2, tl::cos(z))
TAPELESS_LAW(tan, 5, 5, -1, 1, tl::tan(z))
TAPELESS_LAW(tanh, 5, 5, -1, 1, tl::tanh(z))
TAPELESS_LAW(sigmoid, 5, 5, -1, 1, tl::sigmoid(z))
TAPELESS_LAW(erf, 5, 5, -1, 1, tl::erf(z))
TAPELESS_LAW(softplus, 5, 5, -2, 2, tl::softplus(z))
TAPELESS_LAW(floor, 5, 5, -3, 3, tl::floor(z) * z)
TAPELESS_LAW(ceil, 5, 5, -3, 3, tl::ceil(z) * z)
TAPELESS_LAW(many, 5, 5, 0.5, 1, tl::log(tl::tanh(z) + 2_c) / tl::sqrt(1_c + tl::exp(-z * z)))
