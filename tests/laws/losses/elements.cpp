// SPDX-License-Identifier: BSL-1.0
// The laws for losses of two operands, by both of them.
#include "laws/laws.hpp"

#include <tapeless/ops/loss.hpp>

using laws::part;
using tl::loss, tl::reduction;

namespace {

constexpr loss each{.reduce = reduction::none};
constexpr loss smooth{.reduce = reduction::none, .beta = 0.4};
constexpr loss bent{.reduce = reduction::none, .delta = 0.6};
constexpr loss apart{.reduce = reduction::none, .margin = 0.2};
constexpr loss upper{.reduce = reduction::none, .quantile = 0.8};
constexpr loss squared{.margin = 0.2, .power = 2};
constexpr loss logarithms{.reduce = reduction::batch_mean, .log_target = true};
constexpr loss rates{.reduce = reduction::sum, .log_input = false, .full = true};
constexpr loss full{.reduce = reduction::none, .full = true};
constexpr loss missed{.reduce = reduction::none, .alpha = 0.3, .beta = 0.7};
constexpr loss hard{.reduce = reduction::none, .alpha = -1, .gamma = 1.5};
constexpr auto sign = tl::where(tl::iota<int, 6>() > 2_c, 1_c, -1_c);

}  // namespace

TAPELESS_LAW(differences, 12, 6, -1, 1,
             tl::mse_loss<each>(part<0, 6>(z), part<6, 6>(z)) +
                 2_c * tl::l1_loss<each>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(robust_differences, 12, 6, -1, 1,
             tl::huber_loss<bent>(part<0, 6>(z), part<6, 6>(z)) +
                 2_c * tl::smooth_l1_loss<smooth>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(log_cosh_loss, 12, 6, -2, 2, tl::log_cosh_loss<each>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(quantile_loss, 12, 6, -1, 1, tl::quantile_loss<upper>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(bce_loss, 12, 1, 0.1, 0.9, tl::bce_loss(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(bce_with_logits_loss, 15, 6, 0.1, 0.9,
             tl::reshape<6>(tl::bce_with_logits_loss<each>(part<0, 2, 3>(z), part<6, 2, 3>(z),
                                                           part<12, 3>(z))))
TAPELESS_LAW(element_weights, 18, 6, 0.1, 0.9,
             tl::reshape<6>(tl::bce_with_logits_loss<each>(part<0, 2, 3>(z), part<6, 2, 3>(z), part<12, 3>(z),
                                                           tl::element_weights(part<15, 3>(z)))) *
                 tl::bce_loss(part<0, 2, 3>(z), part<6, 2, 3>(z), tl::element_weights(part<15, 3>(z))))
TAPELESS_LAW(gaussian_nll_loss, 18, 6, 0.5, 1.5,
             tl::reshape<6>(tl::gaussian_nll_loss<full>(part<0, 2, 3>(z), part<6, 2, 3>(z), part<12, 2>(z))) +
                 tl::gaussian_nll_loss(part<0, 6>(z), part<6, 6>(z), part<12, 6>(z)))
TAPELESS_LAW(margins_of_two, 12, 6, -1, 1,
             tl::margin_ranking_loss<apart>(part<0, 6>(z), part<6, 6>(z), sign) +
                 tl::hinge_embedding_loss<apart>(part<0, 6>(z), sign) *
                     tl::soft_margin_loss<each>(part<6, 6>(z), part<0, 6>(z)))
TAPELESS_LAW(overlaps, 12, 6, 0.1, 0.9,
             tl::sigmoid_focal_loss<hard>(part<0, 6>(z), part<6, 6>(z)) +
                 tl::sigmoid_focal_loss(part<0, 6>(z), part<6, 6>(z)) +
                 tl::binary_focal_loss<hard>(part<0, 6>(z), part<6, 6>(z)) +
                 tl::dice_loss(part<0, 2, 3>(z), part<6, 2, 3>(z)) *
                     tl::wasserstein_loss(part<0, 2, 3>(z), part<6, 2, 3>(z)))
TAPELESS_LAW(tversky_loss, 12, 2, 0.1, 0.9, tl::tversky_loss<missed>(part<0, 2, 3>(z), part<6, 2, 3>(z)))
TAPELESS_LAW(kl_div, 12, 1, 0.1, 0.9,
             tl::kl_div(part<0, 6>(z), part<6, 6>(z)) + tl::kl_div<logarithms>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(hinge_loss, 12, 6, -1, 1,
             tl::hinge_loss<apart>(part<0, 6>(z), part<6, 6>(z)) +
                 tl::hinge_loss<squared>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(poisson_nll_loss, 12, 1, 0.8, 3,
             tl::poisson_nll_loss(part<0, 6>(z), part<6, 6>(z)) +
                 tl::poisson_nll_loss<rates>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(cosine_similarity, 18, 6, -1, 1,
             tl::cosine_similarity<1>(part<0, 2, 2, 3>(z), part<12, 1, 2, 3>(z)))
