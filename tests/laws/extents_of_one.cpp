// SPDX-License-Identifier: BSL-1.0
// The laws for axes of extent 1, along which strides mean nothing: single rows, columns, features, keys.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(products_of_single_rows_and_columns, 14, 4, -1, 1,
             tl::reshape<4>(tl::matmul(part<0, 1, 3>(z), part<3, 3, 1>(z)) * part<6, 1, 4>(z) +
                            tl::matmul(part<0, 1, 1>(z), part<10, 1, 4>(z))))
TAPELESS_LAW(batches_of_single_products, 13, 6, -1, 1,
             tl::reshape<6>(tl::matmul(part<0, 3, 1, 2>(z), part<6, 1, 2, 1>(z)) +
                            tl::matmul(part<8, 3, 1, 1>(z), part<11, 1, 1, 2>(z))))
TAPELESS_LAW(einsum_of_ones, 9, 3, -1, 1,
             tl::reshape<3>(tl::einsum<"bi,bij->bj">(part<0, 1, 2>(z), part<2, 1, 2, 3>(z)) *
                            tl::einsum<"ij->j">(part<8, 1, 1>(z))))
TAPELESS_LAW(norms_of_single_channels, 16, 6, -1, 1,
             tl::reshape<6>(tl::group_norm<2, 0.1>(part<0, 1, 2, 3>(z), part<6, 2>(z), part<8, 2>(z))) +
                 tl::reshape<6>(tl::instance_norm<0.1>(part<10, 1, 2, 1, 3>(z))))
TAPELESS_LAW(norms_of_single_features, 6, 3, 0.5, 1,
             tl::reshape<3>(tl::layer_norm<1, 0.1>(part<0, 3, 1>(z), part<3, 1>(z), part<4, 1>(z)) +
                            part<5, 1>(z) * tl::rms_norm<0.1>(part<0, 3, 1>(z), part<3, 1>(z))))
TAPELESS_LAW(reductions_of_one_element, 3, 3, 0.5, 2,
             tl::logsumexp<1>(part<0, 3, 1>(z)) +
                 tl::max<1>(part<0, 3, 1>(z)) * tl::min<1>(part<0, 3, 1>(z)) + tl::prod<1>(part<0, 3, 1>(z)) +
                 tl::mean<1>(part<0, 3, 1>(z)) + tl::var<1>(part<0, 3, 1>(z), tl::correction<0>) +
                 tl::norm<1>(part<0, 3, 1>(z), tl::order<3>) +
                 tl::reshape<3>(tl::softmax(part<0, 3, 1>(z)) + tl::log_softmax(part<0, 3, 1>(z)) +
                                tl::cumsum<1>(part<0, 3, 1>(z))))
TAPELESS_LAW(losses_of_single_classes_and_features, 6, 2, 0.5, 2,
             tl::cross_entropy<tl::loss{.reduce = tl::reduction::none}>(part<0, 2, 1>(z),
                                                                        0_c * tl::iota<int, 2>()) +
                 tl::cosine_similarity(part<0, 2, 1>(z), part<2, 2, 1>(z)) * part<4, 2>(z))
TAPELESS_LAW(attention_of_one_query_to_one_key, 6, 2, -1, 1,
             tl::scaled_dot_product_attention(part<0, 1, 2>(z), part<2, 1, 2>(z), part<4, 1, 2>(z)))
