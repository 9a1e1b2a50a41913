// SPDX-License-Identifier: BSL-1.0
// The laws for matrix products.
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
TAPELESS_LAW(linear, 19, 6, -1, 1, tl::linear(part<0, 2, 4>(z), part<4, 3, 4>(z), part<16, 3>(z)))
TAPELESS_LAW(broadcast_batches, 14, 16, -1, 1, tl::matmul(part<0, 2, 1, 2, 2>(z), part<2, 2, 2, 2>(z)))
TAPELESS_LAW(one_batch, 14, 12, -1, 1, tl::matmul(part<0, 3, 2, 2>(z), part<10, 1, 2, 2>(z)))
