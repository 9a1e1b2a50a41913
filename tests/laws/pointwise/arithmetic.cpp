// SPDX-License-Identifier: BSL-1.0
// The laws for arithmetic, whose operands broadcast.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(neg, 5, 5, -1, 1, -z)
TAPELESS_LAW(add, 9, 6, -1, 1, part<0, 2, 3>(z) + part<6, 3>(z))
TAPELESS_LAW(sub, 9, 6, -1, 1, part<0, 3>(z) - part<3, 2, 3>(z))
TAPELESS_LAW(mul, 7, 12, -1, 1, part<0, 4, 1>(z) * part<4, 3>(z))
TAPELESS_LAW(div, 8, 6, 0.5, 2, part<0, 2, 3>(z) / part<6, 2, 1>(z))
TAPELESS_LAW(same_operand, 4, 4, -1, 1, z* z + z)
