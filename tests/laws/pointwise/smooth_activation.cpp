// SPDX-License-Identifier: BSL-1.0
// The laws for smooth activations.
#include "laws/laws.hpp"

#include <tapeless/ops/activation.hpp>

using laws::part;

TAPELESS_LAW(gelu, 5, 5, -2, 2, tl::gelu(z))
TAPELESS_LAW(gelu_by_tanh, 5, 5, -2, 2, tl::gelu<tl::approximation::tanh>(z))
TAPELESS_LAW(silu_mish, 10, 5, -2, 2, tl::silu(part<0, 5>(z)) * tl::mish(part<5, 5>(z)))
TAPELESS_LAW(softplus, 5, 5, -2, 2, tl::softplus(z))
TAPELESS_LAW(softplus_with_beta, 7, 6, 0.5, 2, tl::softplus(part<0, 2, 3>(z) - 1_c, part<6>(z)))
TAPELESS_LAW(swiglu, 12, 6, -2, 2, tl::reshape<6>(tl::swiglu<0>(part<0, 4, 3>(z))))
TAPELESS_LAW(geglu, 8, 8, -2, 2,
             tl::reshape<8>(tl::stack<0>(tl::geglu(part<0, 2, 4>(z)),
                                         tl::geglu<-1, tl::approximation::tanh>(part<0, 2, 4>(z)))))
