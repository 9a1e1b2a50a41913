// SPDX-License-Identifier: BSL-1.0
// The laws for powers and roots.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(square, 5, 5, -1, 1, tl::square(z))
TAPELESS_LAW(sqrt, 5, 5, 0.5, 2, tl::sqrt(z))
TAPELESS_LAW(pow, 7, 6, 0.5, 2, tl::pow(part<0, 2, 3>(z), part<6>(z)))
TAPELESS_LAW(rsqrt_recip_cube, 5, 5, 0.5, 2, tl::rsqrt(z) + tl::recip(z) * tl::cube(z + 1_c))
