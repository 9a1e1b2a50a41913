// SPDX-License-Identifier: BSL-1.0
// The laws for losses of two operands, by both of them.
#include "laws/laws.hpp"

using laws::part;
using tl::loss, tl::reduction;

namespace {

constexpr loss each{.reduce = reduction::none, .beta = 0.4, .delta = 0.6, .margin = 0.2};
constexpr loss squared{.margin = 0.2, .power = 2};
constexpr loss logarithms{.reduce = reduction::batch_mean, .log_target = true};
constexpr loss rates{.reduce = reduction::sum, .log_input = false, .full = true};

}  // namespace

TAPELESS_LAW(differences, 12, 6, -1, 1,
             tl::mse_loss<each>(part<0, 6>(z), part<6, 6>(z)) +
                 2_c * tl::l1_loss<each>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(robust_differences, 12, 6, -1, 1,
             tl::huber_loss<each>(part<0, 6>(z), part<6, 6>(z)) +
                 2_c * tl::smooth_l1_loss<each>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(bce_loss, 12, 1, 0.1, 0.9, tl::bce_loss(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(bce_with_logits_loss, 15, 6, 0.1, 0.9,
             tl::reshape<6>(tl::bce_with_logits_loss<each>(part<0, 2, 3>(z), part<6, 2, 3>(z),
                                                           part<12, 3>(z))))
TAPELESS_LAW(kl_div, 12, 1, 0.1, 0.9,
             tl::kl_div(part<0, 6>(z), part<6, 6>(z)) + tl::kl_div<logarithms>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(hinge_loss, 12, 6, -1, 1,
             tl::hinge_loss<each>(part<0, 6>(z), part<6, 6>(z)) +
                 tl::hinge_loss<squared>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(poisson_nll_loss, 12, 1, 0.8, 3,
             tl::poisson_nll_loss(part<0, 6>(z), part<6, 6>(z)) +
                 tl::poisson_nll_loss<rates>(part<0, 6>(z), part<6, 6>(z)))
TAPELESS_LAW(cosine_similarity, 18, 6, -1, 1,
             tl::cosine_similarity<1>(part<0, 2, 2, 3>(z), part<12, 1, 2, 3>(z)))
