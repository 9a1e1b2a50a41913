// SPDX-License-Identifier: BSL-1.0
// The laws for activations that have a kink, or are bounded.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(relu, 5, 5, -1, 1, tl::relu(z))
TAPELESS_LAW(leaky_relu, 5, 5, -1, 1, tl::leaky_relu(z))
TAPELESS_LAW(leaky_relu_learned, 7, 6, -1, 1, tl::leaky_relu(part<0, 2, 3>(z), tl::square(part<6>(z))))
TAPELESS_LAW(elu_celu, 12, 6, -2, 2, tl::elu(part<0, 6>(z), 1.3_c) + tl::celu(part<6, 6>(z), 0.7_c))
TAPELESS_LAW(elu_selu, 10, 5, -2, 2, tl::elu(part<0, 5>(z)) * tl::selu(part<5, 5>(z)))
TAPELESS_LAW(hard, 10, 5, -6, 6, tl::hard_sigmoid(part<0, 5>(z)) * tl::hard_swish(part<5, 5>(z)))
TAPELESS_LAW(sigmoid, 5, 5, -1, 1, tl::sigmoid(z))
