// SPDX-License-Identifier: BSL-1.0
// The laws for losses of classes: also by the class weights and by probabilities that are the target.
#include "laws/laws.hpp"

#include <tapeless/ops/loss.hpp>

using laws::part;
using tl::loss, tl::reduction;

namespace {

constexpr loss smoothed{.label_smoothing = 0.3, .ignore_index = 2};
constexpr loss soft{.reduce = reduction::batch_mean, .label_smoothing = 0.3};
constexpr loss ignoring{.reduce = reduction::none, .ignore_index = 1};
constexpr loss squared{.reduce = reduction::none, .margin = 0.7, .power = 2};
constexpr loss each{.reduce = reduction::none};
constexpr loss focal{.reduce = reduction::none, .ignore_index = 2, .gamma = 1.5};
constexpr auto labels = tl::iota<int, 3>() + 1_c;
constexpr auto pixels = tl::reshape<2, 2>(tl::iota<int, 4>()) - 1_c;  // -1 is ignored
constexpr loss of_pixels{.label_smoothing = 0.3, .ignore_index = -1, .axis = 1};
constexpr loss log_of_pixels{.reduce = reduction::none, .ignore_index = -1, .axis = 1};
constexpr auto several = 1_c - tl::iota<int, 2, 3>();  // the labels 1 and 0; -1 ends them

}  // namespace

TAPELESS_LAW(cross_entropy_of_labels, 16, 1, 0.5, 2,
             tl::cross_entropy<smoothed>(part<0, 3, 4>(z), labels, part<12, 4>(z)))
TAPELESS_LAW(cross_entropy_of_probabilities, 28, 1, 0.1, 1,
             tl::cross_entropy<soft>(part<0, 3, 4>(z), part<12, 3, 4>(z), part<24, 4>(z)))
TAPELESS_LAW(focal_loss, 16, 3, -1, 2, tl::focal_loss<focal>(part<0, 3, 4>(z), labels, part<12, 4>(z)))
TAPELESS_LAW(nll_loss, 16, 3, 0.5, 2, tl::nll_loss<ignoring>(part<0, 3, 4>(z), labels, part<12, 4>(z)))
TAPELESS_LAW(nll_loss_mean, 16, 1, 0.5, 2, tl::nll_loss(part<0, 3, 4>(z), labels, part<12, 4>(z)))
TAPELESS_LAW(classes_along_an_axis, 15, 4, 0.5, 2,
             tl::cross_entropy<of_pixels>(part<0, 2, 3, 2>(z), pixels, part<12, 3>(z)) *
                 tl::reshape<4>(tl::nll_loss<log_of_pixels>(part<0, 2, 3, 2>(z), pixels, part<12, 3>(z))))
TAPELESS_LAW(several_labels, 15, 2, -1, 1,
             tl::multilabel_margin_loss<each>(part<0, 2, 3>(z), several) *
                 tl::multilabel_soft_margin_loss<each>(part<0, 2, 3>(z), part<6, 2, 3>(z), part<12, 3>(z)))
TAPELESS_LAW(multi_margin_loss_with_weights, 16, 1, 0, 1,
             tl::multi_margin_loss(part<0, 3, 4>(z), labels, part<12, 4>(z)))
TAPELESS_LAW(multi_margin_loss, 12, 3, -1, 1,
             tl::multi_margin_loss<squared>(part<0, 3, 4>(z), labels) +
                 tl::multi_margin_loss(part<0, 3, 4>(z), labels))
