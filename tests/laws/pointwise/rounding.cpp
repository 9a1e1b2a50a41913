// SPDX-License-Identifier: BSL-1.0
// The laws for rounding and remainders.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(floor, 5, 5, -3, 3, tl::floor(z) * z)
TAPELESS_LAW(ceil, 5, 5, -3, 3, tl::ceil(z) * z)
TAPELESS_LAW(round_and_trunc, 5, 5, -3, 3, tl::round(z) * z + tl::trunc(z) * tl::sin(z))
TAPELESS_LAW(fmod, 8, 6, 0.5, 2, tl::fmod(3_c * part<0, 2, 3>(z), part<6, 2, 1>(z)))
TAPELESS_LAW(mod, 8, 6, 0.5, 2, tl::mod(3_c * part<0, 2, 3>(z) - 4_c, part<6, 2, 1>(z)))
