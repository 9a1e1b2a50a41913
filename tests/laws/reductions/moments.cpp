// SPDX-License-Identifier: BSL-1.0
// The laws for variances and norms.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(var, 24, 8, -1, 1, tl::var<-1>(part<0, 2, 4, 3>(z)))
TAPELESS_LAW(std, 24, 4, -1, 1, tl::std<0, 2>(part<0, 2, 4, 3>(z), tl::keep_dims, tl::correction<0>))
TAPELESS_LAW(norm_1, 12, 3, -1, 1, tl::norm<-1>(part<0, 3, 4>(z), tl::order<1>))
TAPELESS_LAW(norm_2, 12, 4, -1, 1, tl::norm<0>(part<0, 3, 4>(z), tl::keep_dims))
TAPELESS_LAW(norm_3, 12, 3, -1, 1, tl::norm<1>(part<0, 3, 4>(z), tl::order<3>, tl::keep_dims))
TAPELESS_LAW(norm_2_5, 6, 1, -1, 1, tl::norm(z, tl::order<2.5>))
TAPELESS_LAW(norm_infinity, 12, 3, -1, 1, tl::norm<-1>(part<0, 3, 4>(z), tl::order<tl::infinity>))
