// SPDX-License-Identifier: BSL-1.0
// The laws for what is made of matrix products, and for products of views.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(slice_into_matmul, 12, 6, -1, 1,
             tl::matmul(tl::transpose(tl::slice<0, 1, 4>(part<0, 4, 3>(z))),
                        tl::slice<1, 0, 2>(part<0, 3, 4>(z))))
TAPELESS_LAW(expanded_into_matmul, 8, 6, -1, 1,
             tl::matmul(tl::expand<3, 4>(part<0, 4>(z)), tl::transpose(tl::expand<2, 4>(part<4, 4>(z)))))
TAPELESS_LAW(heads, 12, 8, -1, 1,
             tl::matmul(tl::permute<1, 0, 2>(part<0, 2, 2, 3>(z)), tl::permute<1, 2, 0>(part<0, 2, 2, 3>(z))))
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
