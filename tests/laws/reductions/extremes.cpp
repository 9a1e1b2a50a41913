// SPDX-License-Identifier: BSL-1.0
// The laws for the largest and the smallest elements, and for the soft maximum.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(max_reduction, 24, 8, -1, 1, tl::max<-1>(part<0, 2, 4, 3>(z)))
TAPELESS_LAW(min_reduction, 24, 6, -1, 1, tl::min<1>(part<0, 2, 4, 3>(z), tl::keep_dims))
TAPELESS_LAW(logsumexp, 12, 4, -1, 1, tl::logsumexp<0>(part<0, 3, 4>(z)))
