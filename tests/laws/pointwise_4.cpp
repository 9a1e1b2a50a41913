// SPDX-License-Identifier: BSL-1.0
// The laws for selections by conditions.
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
