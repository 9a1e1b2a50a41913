// SPDX-License-Identifier: BSL-1.0
// The laws for pooling and upsampling.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(max_pool2d, 50, 18, -1, 1,
             tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(part<0, 1, 2, 5, 5>(z)))
TAPELESS_LAW(avg_pool2d, 50, 12, -1, 1,
             tl::avg_pool2d<tl::pool{
                 .kernel = {2, 3}, .stride = {2, 1}, .padding = {1, 0}, .count_include_pad = false}>(
                 tl::slice<2, 0, 3>(part<0, 1, 2, 5, 5>(z))))
TAPELESS_LAW(pools_of_sequences, 14, 12, -1, 1,
             tl::max_pool1d<tl::pool{.kernel = 2, .stride = 1}>(part<0, 1, 2, 7>(z)) *
                 tl::avg_pool1d<tl::pool{.kernel = 2, .stride = 1}>(part<0, 1, 2, 7>(z)))
TAPELESS_LAW(adaptive_pools, 35, 6, -1, 1,
             tl::adaptive_avg_pool2d<3, 2>(part<0, 1, 1, 7, 5>(z)) *
                 tl::adaptive_max_pool2d<3, 2>(part<0, 1, 1, 7, 5>(z)))
TAPELESS_LAW(global_pools, 24, 4, -1, 1,
             tl::global_avg_pool2d(part<0, 2, 2, 2, 3>(z)) * tl::global_max_pool2d(part<0, 2, 2, 2, 3>(z)))
TAPELESS_LAW(upsample_nearest2d, 12, 48, -1, 1, tl::square(tl::upsample_nearest2d<2>(part<0, 1, 2, 2, 3>(z))))
TAPELESS_LAW(upsample_bilinear2d, 12, 48, -1, 1,
             tl::upsample_bilinear2d<2>(part<0, 1, 2, 2, 3>(z)) *
                 tl::upsample_bilinear2d<2, true>(part<0, 1, 2, 2, 3>(z)))
