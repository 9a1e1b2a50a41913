// SPDX-License-Identifier: BSL-1.0
// The laws for losses of pairs and triples of vectors.
#include "laws/laws.hpp"

#include <tapeless/ops/loss.hpp>

using laws::part;
using tl::loss, tl::reduction;

namespace {

constexpr loss each{.reduce = reduction::none, .margin = 0.2};
constexpr loss sum_of_differences{.power = 1};
constexpr loss cubes{.power = 3};
constexpr loss swapped{.reduce = reduction::none, .margin = 3, .swap = true};
constexpr loss pairs{.reduce = reduction::none, .temperature = 0.5, .symmetric = true};
constexpr auto alike = 1_c - 2_c * tl::iota<int, 2>();

}  // namespace

TAPELESS_LAW(cosine_embedding_loss, 12, 2, 0.1, 1,
             tl::cosine_embedding_loss<each>(part<0, 2, 3>(z), part<6, 2, 3>(z), alike))
TAPELESS_LAW(triplet_margin_loss, 18, 2, -1, 1,
             tl::triplet_margin_loss<each>(part<0, 2, 3>(z), part<6, 2, 3>(z), part<12, 2, 3>(z)))
TAPELESS_LAW(triplet_margin_loss_swapped, 18, 2, -1, 1,
             tl::triplet_margin_loss<swapped>(part<0, 2, 3>(z), part<6, 2, 3>(z), part<12, 2, 3>(z)))
TAPELESS_LAW(triplet_margin_loss_of_other_norms, 18, 1, -1, 1,
             tl::triplet_margin_loss<sum_of_differences>(part<0, 2, 3>(z), part<6, 2, 3>(z),
                                                         part<12, 2, 3>(z)) +
                 tl::triplet_margin_loss<cubes>(part<0, 2, 3>(z), part<6, 2, 3>(z), part<12, 2, 3>(z)))
TAPELESS_LAW(info_nce_loss, 15, 3, -1, 1,
             tl::info_nce_loss<pairs>(part<0, 3, 2>(z), part<6, 3, 2>(z), tl::sample_weights(part<12, 3>(z))))
TAPELESS_LAW(distances, 14, 4, -1, 1,
             tl::reshape<4>(tl::cdist(part<0, 2, 3>(z), part<6, 2, 3>(z)) *
                            tl::cdist(part<0, 2, 3>(z), part<6, 2, 3>(z), tl::order<3>)) *
                 tl::pairwise_distance(part<6, 4, 2>(z), part<12, 2>(z)))
