// SPDX-License-Identifier: BSL-1.0
// The laws for matrix products, of views too.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(matrix_matrix, 18, 6, -1, 1, tl::matmul(part<0, 2, 4>(z), part<4, 4, 3>(z)))
TAPELESS_LAW(transposed, 18, 6, -1, 1,
             tl::matmul(tl::permute<1, 0>(part<0, 4, 2>(z)), tl::permute<1, 0>(part<6, 3, 4>(z))))
TAPELESS_LAW(vector_matrix, 12, 3, -1, 1, tl::matmul(part<0, 4>(z), part<0, 4, 3>(z)))
TAPELESS_LAW(matrix_vector, 12, 3, -1, 1, tl::matmul(part<0, 3, 4>(z), part<4, 4>(z)))
TAPELESS_LAW(vector_vector, 6, 1, -1, 1, tl::matmul(part<0, 4>(z), part<2, 4>(z)))
TAPELESS_LAW(batched, 20, 12, -1, 1, tl::matmul(part<0, 3, 2, 3>(z), part<2, 3, 3, 2>(z)))
TAPELESS_LAW(broadcast_batch, 20, 12, -1, 1, tl::matmul(part<0, 3, 2, 3>(z), part<14, 3, 2>(z)))
TAPELESS_LAW(broadcast_batches, 14, 16, -1, 1, tl::matmul(part<0, 2, 1, 2, 2>(z), part<2, 2, 2, 2>(z)))
TAPELESS_LAW(one_batch, 14, 12, -1, 1, tl::matmul(part<0, 3, 2, 2>(z), part<10, 1, 2, 2>(z)))
TAPELESS_LAW(slice_into_matmul, 12, 6, -1, 1,
             tl::matmul(tl::transpose(tl::slice<0, 1, 4>(part<0, 4, 3>(z))),
                        tl::slice<1, 0, 2>(part<0, 3, 4>(z))))
TAPELESS_LAW(expanded_into_matmul, 8, 6, -1, 1,
             tl::matmul(tl::expand<3, 4>(part<0, 4>(z)), tl::transpose(tl::expand<2, 4>(part<4, 4>(z)))))
TAPELESS_LAW(heads, 12, 8, -1, 1,
             tl::matmul(tl::permute<1, 0, 2>(part<0, 2, 2, 3>(z)), tl::permute<1, 2, 0>(part<0, 2, 2, 3>(z))))
