// SPDX-License-Identifier: BSL-1.0
// The laws at points where random operands never are, though functions are smooth there: rows that are sure
// of a class, equal elements, zeros, predictions that are right. 1 is added where a value of 0 would hide the
// second derivative.
#include "laws/laws.hpp"

using laws::part;
using tl::loss, tl::reduction;

namespace {

constexpr loss each{.reduce = reduction::none};
constexpr loss smooth{.reduce = reduction::none, .beta = 0.25};
constexpr loss bent{.reduce = reduction::none, .delta = 0.5};
constexpr loss smoothed{.reduce = reduction::none, .label_smoothing = 0.25};

constexpr double sure_pairs[] = {0, 40, 5, 5, -40, 0};
constexpr double sure_rows[] = {0, 40, 0, 7, 7, 7, -30, 30, 0};
constexpr double sure_logits[] = {40, -40, 0, 0, 1, 0, 0.5, 1};
constexpr double right[] = {1, 2, -0.5, 0, 1, 2, -0.5, 0};
constexpr double vectors[] = {1, 0, 2, 2, 0, 4, 0, 3, 0, 3, 4, 0};
constexpr double with_zeros[] = {0, 2, 0, 3, 3, 0, 0, 0, 0, 2, 2, 2};
constexpr double angles[] = {0, 1, 2, -2, 3, 0, 2, 2};
constexpr double powers[] = {2, 1, 3, 0.5, 1, 0, 3, 1, 2, 0};

}  // namespace

TAPELESS_LAW_AT(logsumexp_of_sure_and_equal_rows, sure_pairs, 3, tl::logsumexp<-1>(part<0, 3, 2>(z)))
TAPELESS_LAW_AT(softmax_of_sure_and_equal_rows, sure_pairs, 6,
                tl::softmax(part<0, 3, 2>(z)) + 0.01_c * tl::log_softmax(part<0, 3, 2>(z)))
TAPELESS_LAW_AT(cross_entropy_of_sure_and_equal_rows, sure_rows, 3,
                1_c + tl::cross_entropy<each>(part<0, 3, 3>(z), tl::iota<int, 3>()) +
                    tl::cross_entropy<smoothed>(part<0, 3, 3>(z), 2_c - tl::iota<int, 3>()))
TAPELESS_LAW_AT(bce_of_sure_logits, sure_logits, 4,
                1_c + tl::bce_with_logits_loss<each>(part<0, 4>(z), part<4, 4>(z)))
TAPELESS_LAW_AT(robust_losses_of_right_predictions, right, 4,
                1_c + tl::huber_loss<bent>(part<0, 4>(z), part<4, 4>(z)) +
                    tl::smooth_l1_loss<smooth>(part<0, 4>(z), part<4, 4>(z)) +
                    tl::mse_loss<each>(part<0, 4>(z), part<4, 4>(z)))
TAPELESS_LAW_AT(vectors_with_zeros, vectors, 2,
                tl::cosine_similarity(part<0, 2, 3>(z), part<3, 2, 3>(z)) +
                    tl::norm<-1>(part<6, 2, 3>(z), tl::order<3>) * tl::norm<-1>(part<6, 2, 3>(z)))
TAPELESS_LAW_AT(products_and_variances_of_zeros_and_equals, with_zeros, 3,
                1_c + tl::prod<1>(part<0, 3, 4>(z)) + tl::var<1>(part<0, 3, 4>(z)))
TAPELESS_LAW_AT(angles_on_the_axes_and_between, angles, 4, tl::atan2(part<0, 4>(z), part<4, 4>(z)))
TAPELESS_LAW_AT(powers_by_whole_numbers, powers, 5, tl::pow(part<0, 5>(z), part<5, 5>(z)))
TAPELESS_LAW_AT(smooth_activations_at_0, right, 8,
                1_c + tl::mish(z) + tl::silu(z) + tl::gelu(z) + tl::softplus(z) + tl::tanh(z) +
                    tl::sigmoid(z))
