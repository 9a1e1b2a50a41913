// SPDX-License-Identifier: BSL-1.0
// The laws for normalizations, by the weights and biases too.
#include "laws/laws.hpp"

#include <tapeless/ops/norm.hpp>

using laws::part;

TAPELESS_LAW(layer_norm, 20, 12, -1, 1, tl::layer_norm(part<0, 3, 4>(z), part<12, 4>(z), part<16, 4>(z)))
TAPELESS_LAW(layer_norm_of_two_axes, 18, 12, -1, 1,
             tl::layer_norm<2, 0.1>(part<0, 2, 3, 2>(z), part<12, 3, 2>(z)))
TAPELESS_LAW(rms_norm, 15, 12, -1, 1, tl::rms_norm<1e-3>(part<0, 2, 2, 3>(z), part<12, 3>(z)))
TAPELESS_LAW(group_norm, 24, 16, -1, 1,
             tl::group_norm<2>(part<0, 2, 4, 2>(z), part<16, 4>(z), part<20, 4>(z)))
TAPELESS_LAW(instance_norm, 16, 16, -1, 1, tl::instance_norm(part<0, 2, 2, 2, 2>(z)))
TAPELESS_LAW(normalize_response, 12, 12, 0.2, 1,
             tl::reshape<12>(tl::normalize(part<0, 2, 3, 2>(z), tl::order<3>) *
                             tl::local_response_norm<2, tl::response{.alpha = 0.5}>(part<0, 2, 3, 2>(z))))
