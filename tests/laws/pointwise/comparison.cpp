// SPDX-License-Identifier: BSL-1.0
// The laws for selections: by conditions, by size, by sign.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(where, 8, 6, -1, 1,
             tl::where(part<0, 2, 3>(z) < part<3, 3>(z), part<1, 2, 3>(z), part<6, 2, 1>(z)))
TAPELESS_LAW(greater, 6, 6, -1, 1, tl::where(z > 0_c, z, 2_c * z))
TAPELESS_LAW(less_equal, 6, 6, -1, 1, tl::where(z <= tl::square(z), z, tl::square(z)))
TAPELESS_LAW(greater_equal, 6, 6, -1, 1, tl::where(z >= 0.5_c, tl::exp(z), z))
TAPELESS_LAW(equal, 6, 6, -1, 1, tl::where(tl::floor(z) == 0_c, z, -z))
TAPELESS_LAW(not_equal, 6, 6, -1, 1, tl::where(tl::floor(z) != 0_c, z, 3_c * z))
TAPELESS_LAW(logical, 6, 6, -1, 1,
             tl::where((z > 0_c && z < 0.5_c) || !(z > -0.5_c), tl::square(z), tl::sin(z)))
TAPELESS_LAW(abs, 5, 5, -1, 1, tl::abs(z))
TAPELESS_LAW(sign, 5, 5, -1, 1, tl::sign(z) * z)
TAPELESS_LAW(max, 7, 12, -1, 1, tl::max(part<0, 4, 1>(z), part<4, 3>(z)))
TAPELESS_LAW(min, 9, 6, -1, 1, tl::min(part<0, 2, 3>(z), part<6, 3>(z)))
TAPELESS_LAW(clamp, 8, 6, -1, 1,
             tl::clamp(tl::exp(part<0, 2, 3>(z)), 0.8_c + 0.1_c * part<6, 2, 1>(z), 1.5_c))
