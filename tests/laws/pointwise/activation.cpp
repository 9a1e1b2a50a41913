// SPDX-License-Identifier: BSL-1.0
// The laws for activations that have a kink, or are bounded.
#include "laws/laws.hpp"

#include <tapeless/ops/activation.hpp>

using laws::part;

TAPELESS_LAW(relu, 5, 5, -1, 1, tl::relu(z))
TAPELESS_LAW(leaky_relu, 5, 5, -1, 1, tl::leaky_relu(z))
TAPELESS_LAW(leaky_relu_learned, 7, 6, -1, 1, tl::leaky_relu(part<0, 2, 3>(z), tl::square(part<6>(z))))
TAPELESS_LAW(elu_celu, 12, 6, -2, 2, tl::elu(part<0, 6>(z), 1.3_c) + tl::celu(part<6, 6>(z), 0.7_c))
TAPELESS_LAW(elu_selu, 10, 5, -2, 2, tl::elu(part<0, 5>(z)) * tl::selu(part<5, 5>(z)))
TAPELESS_LAW(hard, 10, 5, -6, 6, tl::hard_sigmoid(part<0, 5>(z)) * tl::hard_swish(part<5, 5>(z)))
TAPELESS_LAW(sigmoid, 5, 5, -1, 1, tl::sigmoid(z))
TAPELESS_LAW(shrinking, 10, 5, -2, 2,
             (tl::softshrink(part<0, 5>(z)) + tl::hardshrink(part<5, 5>(z), 0.3_c)) *
                     tl::tanhshrink(part<0, 5>(z)) +
                 tl::softsign(part<5, 5>(z)) * tl::log_sigmoid(part<0, 5>(z)))
TAPELESS_LAW(bounded, 15, 5, -2, 2,
             tl::hardtanh(part<0, 5>(z)) * tl::relu6(part<5, 5>(z) + 3_c) +
                 tl::threshold(part<10, 5>(z), 0.5_c, 20_c) * tl::softmin(part<0, 5>(z)))
TAPELESS_LAW(glu_prelu, 21, 6, -2, 2,
             tl::reshape<6>(tl::glu<1>(part<0, 2, 6>(z)) + tl::prelu(part<12, 2, 3>(z), part<18, 3>(z))))
