// SPDX-License-Identifier: BSL-1.0
// The laws for losses with sample weights, also by these.
#include "laws/laws.hpp"

using laws::part;
using tl::loss, tl::reduction;

namespace {

constexpr loss smoothed{.label_smoothing = 0.3, .ignore_index = 2};
constexpr loss soft{.reduce = reduction::batch_mean};
constexpr loss each{.reduce = reduction::none};
constexpr auto labels = tl::iota<int, 3>() + 1_c;

}  // namespace

TAPELESS_LAW(sample_weights, 14, 6, 0.2, 1,
             tl::reshape<6>(tl::mse_loss<each>(part<0, 2, 3>(z), part<6, 2, 3>(z),
                                               tl::sample_weights(part<12, 2>(z)))) *
                 tl::bce_with_logits_loss(part<0, 2, 3>(z), part<6, 2, 3>(z),
                                          tl::sample_weights(part<12, 2>(z))))
TAPELESS_LAW(sample_weights_of_classes, 19, 1, 0.5, 2,
             tl::cross_entropy<smoothed>(part<0, 3, 4>(z), labels, part<12, 4>(z),
                                         tl::sample_weights(part<16, 3>(z))) *
                 tl::nll_loss<soft>(part<0, 3, 4>(z), labels, tl::sample_weights(part<16, 3>(z))))
TAPELESS_LAW(sample_weights_of_vectors, 20, 1, -1, 1,
             tl::triplet_margin_loss(part<0, 2, 3>(z), part<6, 2, 3>(z), part<12, 2, 3>(z),
                                     tl::sample_weights(tl::exp(part<18, 2>(z)))))
