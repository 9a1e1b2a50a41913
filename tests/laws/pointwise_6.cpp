// SPDX-License-Identifier: BSL-1.0
// The laws for element-by-element operations that are composed of others.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(rsqrt_recip_cube, 5, 5, 0.5, 2, tl::rsqrt(z) + tl::recip(z) * tl::cube(z + 1_c))
TAPELESS_LAW(leaky_relu_learned, 7, 6, -1, 1, tl::leaky_relu(part<0, 2, 3>(z), tl::square(part<6>(z))))
TAPELESS_LAW(leaky_relu, 5, 5, -1, 1, tl::leaky_relu(z))
TAPELESS_LAW(elu_celu, 12, 6, -2, 2, tl::elu(part<0, 6>(z), 1.3_c) + tl::celu(part<6, 6>(z), 0.7_c))
TAPELESS_LAW(elu_selu, 10, 5, -2, 2, tl::elu(part<0, 5>(z)) * tl::selu(part<5, 5>(z)))
TAPELESS_LAW(gelu, 5, 5, -2, 2, tl::gelu(z))
TAPELESS_LAW(gelu_by_tanh, 5, 5, -2, 2, tl::gelu<tl::approximation::tanh>(z))
TAPELESS_LAW(silu_mish, 10, 5, -2, 2, tl::silu(part<0, 5>(z)) * tl::mish(part<5, 5>(z)))
TAPELESS_LAW(softplus_with_beta, 7, 6, 0.5, 2, tl::softplus(part<0, 2, 3>(z) - 1_c, part<6>(z)))
TAPELESS_LAW(hard, 10, 5, -6, 6, tl::hard_sigmoid(part<0, 5>(z)) * tl::hard_swish(part<5, 5>(z)))
TAPELESS_LAW(mod, 8, 6, 0.5, 2, tl::mod(3_c * part<0, 2, 3>(z) - 4_c, part<6, 2, 1>(z)))
TAPELESS_LAW(clamp, 8, 6, -1, 1,
             tl::clamp(tl::exp(part<0, 2, 3>(z)), 0.8_c + 0.1_c * part<6, 2, 1>(z), 1.5_c))
