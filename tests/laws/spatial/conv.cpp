// SPDX-License-Identifier: BSL-1.0
// The laws for convolution.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(conv2d, 84, 24, -1, 1,
             tl::conv2d<tl::conv{.padding = {1, 0}}>(part<0, 2, 2, 3, 4>(z), part<48, 2, 2, 3, 3>(z)))
TAPELESS_LAW(conv2d_with_stride_dilation_groups_and_bias, 106, 36, -1, 1,
             tl::conv2d<tl::conv{.stride = {2, 1}, .padding = {1, 2}, .dilation = {1, 3}, .groups = 2}>(
                 part<0, 1, 4, 4, 4>(z), part<64, 6, 2, 1, 3>(z), part<100, 6>(z)))
TAPELESS_LAW(conv2d_of_points, 54, 16, -1, 1,
             tl::conv2d<tl::conv{.stride = {2, 1}}>(part<0, 2, 3, 4, 2>(z), part<48, 2, 3, 1, 1>(z)))
TAPELESS_LAW(conv1d, 38, 18, -1, 1,
             tl::conv1d<tl::conv{.stride = 2, .padding = 1}>(part<0, 2, 2, 5>(z), part<20, 3, 2, 3>(z)))
TAPELESS_LAW(conv_transpose2d, 42, 50, -1, 1,
             tl::conv_transpose2d<tl::conv{.stride = {2, 1}, .padding = {1, 0}, .output_padding = {1, 0}}>(
                 part<0, 1, 2, 3, 4>(z), part<24, 2, 2, 2, 2>(z), part<40, 2>(z)))
