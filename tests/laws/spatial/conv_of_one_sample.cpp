// SPDX-License-Identifier: BSL-1.0
// The laws for convolutions and pools of one sample, with one channel or one in each group: windows on one
// line, which overlap.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(conv1d_of_one_sample, 11, 6, -1, 1, tl::conv1d(part<0, 1, 1, 8>(z), part<8, 1, 1, 3>(z)))
TAPELESS_LAW(conv1d_of_one_sample_to_channels, 17, 12, -1, 1,
             tl::conv1d<tl::conv{.dilation = 2}>(part<0, 1, 1, 8>(z), part<8, 3, 1, 3>(z)))
TAPELESS_LAW(depthwise_conv1d_of_one_sample, 20, 6, -1, 1,
             tl::conv1d<tl::conv{.stride = 2, .groups = 2}>(part<0, 1, 2, 7>(z), part<14, 2, 1, 3>(z)))
TAPELESS_LAW(conv2d_of_one_line, 17, 5, -1, 1,
             tl::conv2d<tl::conv{.stride = {1, 2}}>(part<0, 1, 1, 1, 12>(z), part<12, 1, 1, 1, 4>(z),
                                                    part<16, 1>(z)))
TAPELESS_LAW(conv2d_of_one_image, 26, 9, -1, 1, tl::conv2d(part<0, 1, 1, 4, 5>(z), part<20, 1, 1, 2, 3>(z)))
TAPELESS_LAW(conv_transpose2d_of_one_line, 7, 9, -1, 1,
             tl::conv_transpose2d<tl::conv{.stride = {1, 2}}>(part<0, 1, 1, 1, 4>(z), part<4, 1, 1, 1, 3>(z)))
TAPELESS_LAW(
    pools_of_one_line, 7, 5, -1, 1,
    tl::reshape<5>(tl::max_pool1d<tl::pool{.kernel = 3, .stride = 1}>(part<0, 1, 1, 7>(z))) *
        tl::reshape<5>(tl::avg_pool2d<tl::pool{.kernel = {1, 3}, .stride = 1}>(part<0, 1, 1, 1, 7>(z))))
