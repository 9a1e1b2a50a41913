// SPDX-License-Identifier: BSL-1.0
// The laws for what is made of matrix products.
#include <tapeless/ops/linalg.hpp>

#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(linear, 19, 6, -1, 1, tl::linear(part<0, 2, 4>(z), part<4, 3, 4>(z), part<16, 3>(z)))
TAPELESS_LAW(linear_of_a_vector, 18, 3, -1, 1, tl::linear(part<0, 4>(z), part<3, 3, 4>(z), part<15, 3>(z)))
TAPELESS_LAW(outer, 5, 6, -1, 1, tl::outer(part<0, 2>(z), part<2, 3>(z)))
TAPELESS_LAW(bilinear, 17, 4, -1, 1,
             tl::bilinear(part<0, 2, 3>(z), part<2, 2, 2>(z), part<3, 2, 3, 2>(z), part<15, 2>(z)))
TAPELESS_LAW(einsum_batched, 16, 12, -1, 1,
             tl::einsum<"bik,kbj->jbi">(part<0, 2, 3, 2>(z), part<8, 2, 2, 2>(z)))
TAPELESS_LAW(einsum_summed, 12, 2, -1, 1, tl::einsum<"ijk,kji->j">(part<0, 3, 2, 2>(z), part<0, 2, 2, 3>(z)))
TAPELESS_LAW(einsum_of_three, 12, 4, -1, 1,
             tl::einsum<"ni,oij,nj->no">(part<0, 2, 2>(z), part<4, 2, 2, 2>(z), part<2, 2, 2>(z)))
TAPELESS_LAW(einsum_trace, 9, 3, -1, 1, tl::einsum<"ii,ij->j">(part<0, 3, 3>(z), part<0, 3, 3>(z)))
TAPELESS_LAW(kron_and_tensordot, 12, 33, -1, 1,
             tl::concat<0>(tl::reshape<24>(tl::kron(part<0, 2, 2>(z), part<4, 2, 3>(z)) *
                                           tl::tensordot(part<0, 2, 3>(z), part<3, 2, 3>(z))),
                           tl::reshape<9>(tl::tensordot<tl::axes<-1, 0>, tl::axes<1, 2>>(
                               part<0, 2, 3, 2>(z), part<0, 3, 2, 2>(z)))))
TAPELESS_LAW(cov, 12, 9, -1, 1,
             tl::reshape<9>(tl::cov(part<0, 3, 4>(z), tl::correction<1.5>)) + tl::cov(part<0, 5>(z)))
TAPELESS_LAW(corrcoef, 12, 8, -1, 1, tl::corrcoef(part<0, 2, 2, 3>(z)))
TAPELESS_LAW(small_products, 12, 6, -1, 1,
             tl::reshape<6>(tl::cross(part<0, 2, 3>(z), part<6, 3>(z))) * tl::trace(part<0, 2, 3>(z)) +
                 tl::expand<6>(tl::multi_dot(part<0, 3>(z), part<3, 3, 3>(z), part<9, 3>(z)) +
                               tl::sum(tl::vecdot<0>(part<0, 2, 3>(z), part<6, 2, 3>(z)))))
