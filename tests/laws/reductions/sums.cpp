// SPDX-License-Identifier: BSL-1.0
// The laws for sums, means and products along axes.
#include "laws/laws.hpp"

#include <tapeless/ops/reduction/nanmean.hpp>
#include <tapeless/ops/reduction/nansum.hpp>

using laws::part;

TAPELESS_LAW(sum, 6, 1, -1, 1, tl::sum(z))
TAPELESS_LAW(sum_of_rows, 24, 8, -1, 1, tl::sum<-1>(part<0, 2, 4, 3>(z)))
TAPELESS_LAW(sum_of_middle, 24, 6, -1, 1, tl::sum<1>(part<0, 2, 4, 3>(z), tl::keep_dims))
TAPELESS_LAW(sum_of_outer_and_inner, 24, 4, -1, 1, tl::sum<0, 2>(part<0, 2, 4, 3>(z)))
TAPELESS_LAW(mean, 24, 3, -1, 1, tl::mean<0, 1>(part<0, 2, 4, 3>(z)))
TAPELESS_LAW(nansum, 12, 4, -1, 1,
             tl::nansum<1>(tl::where(part<0, 4, 3>(z) > 0_c, tl::exp(part<0, 4, 3>(z)),
                                     tl::log(part<0, 4, 3>(z)))))
TAPELESS_LAW(nanmean, 12, 3, -1, 1,
             tl::nanmean<0>(tl::where(part<0, 4, 3>(z) > 0_c, tl::exp(part<0, 4, 3>(z)),
                                      tl::log(part<0, 4, 3>(z)))))
TAPELESS_LAW(dot, 8, 1, -1, 1, tl::dot(part<0, 4>(z), part<4, 4>(z)))
TAPELESS_LAW(prod, 24, 8, 0.5, 1.5, tl::prod<1>(part<0, 2, 3, 4>(z)))
TAPELESS_LAW(prod_over_two, 12, 2, -1, 1, tl::prod<0, 2>(part<0, 3, 2, 2>(z), tl::keep_dims))
TAPELESS_LAW(cumsum, 12, 12, -2, 2,
             tl::cumsum<1>(tl::exp(part<0, 2, 3, 2>(z))) + tl::cumsum<-1>(part<0, 2, 3, 2>(z)))
