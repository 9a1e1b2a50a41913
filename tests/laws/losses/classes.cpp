// SPDX-License-Identifier: BSL-1.0
// The laws for losses of classes: also by the class weights and by probabilities that are the target.
#include "laws/laws.hpp"

using laws::part;
using tl::loss, tl::reduction;

namespace {

constexpr loss smoothed{.label_smoothing = 0.3, .ignore_index = 2};
constexpr loss soft{.reduce = reduction::batch_mean, .label_smoothing = 0.3};
constexpr loss ignoring{.reduce = reduction::none, .ignore_index = 1};
constexpr loss squared{.reduce = reduction::none, .margin = 0.7, .power = 2};
constexpr auto labels = tl::iota<int, 3>() + 1_c;

}  // namespace

TAPELESS_LAW(cross_entropy_of_labels, 16, 1, 0.5, 2,
             tl::cross_entropy<smoothed>(part<0, 3, 4>(z), labels, part<12, 4>(z)))
TAPELESS_LAW(cross_entropy_of_probabilities, 28, 1, 0.1, 1,
             tl::cross_entropy<soft>(part<0, 3, 4>(z), part<12, 3, 4>(z), part<24, 4>(z)))
TAPELESS_LAW(nll_loss, 16, 3, 0.5, 2, tl::nll_loss<ignoring>(part<0, 3, 4>(z), labels, part<12, 4>(z)))
TAPELESS_LAW(nll_loss_mean, 16, 1, 0.5, 2, tl::nll_loss(part<0, 3, 4>(z), labels, part<12, 4>(z)))
TAPELESS_LAW(multi_margin_loss, 12, 3, -1, 1,
             tl::multi_margin_loss<squared>(part<0, 3, 4>(z), labels) +
                 tl::multi_margin_loss(part<0, 3, 4>(z), labels))
