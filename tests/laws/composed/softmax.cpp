// SPDX-License-Identifier: BSL-1.0
// The laws for operations that are composed of others.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(softmax, 12, 12, -1, 1, tl::softmax(part<0, 3, 4>(z)))
TAPELESS_LAW(log_softmax, 12, 12, -1, 1, tl::log_softmax<0>(part<0, 3, 4>(z)))
TAPELESS_LAW(cross_entropy, 12, 1, -1, 1,
             tl::cross_entropy(part<0, 3, 4>(z), tl::cast<int>(1_c + 3_c * tl::abs(part<3, 3>(z)))))
