// SPDX-License-Identifier: BSL-1.0
// All losses.
#pragma once

#include <tapeless/ops/loss/bce_loss.hpp>
#include <tapeless/ops/loss/bce_with_logits_loss.hpp>
#include <tapeless/ops/loss/class_labels.hpp>
#include <tapeless/ops/loss/cosine_embedding_loss.hpp>
#include <tapeless/ops/loss/cosine_similarity.hpp>
#include <tapeless/ops/loss/cross_entropy.hpp>
#include <tapeless/ops/loss/ctc_loss.hpp>
#include <tapeless/ops/loss/dice_loss.hpp>
#include <tapeless/ops/loss/element_weights.hpp>
#include <tapeless/ops/loss/focal_loss.hpp>
#include <tapeless/ops/loss/gaussian_nll_loss.hpp>
#include <tapeless/ops/loss/hinge_embedding_loss.hpp>
#include <tapeless/ops/loss/hinge_loss.hpp>
#include <tapeless/ops/loss/huber_loss.hpp>
#include <tapeless/ops/loss/kl_div.hpp>
#include <tapeless/ops/loss/l1_loss.hpp>
#include <tapeless/ops/loss/log_cosh_loss.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/loss/margin_ranking_loss.hpp>
#include <tapeless/ops/loss/mse_loss.hpp>
#include <tapeless/ops/loss/multi_margin_loss.hpp>
#include <tapeless/ops/loss/multilabel_margin_loss.hpp>
#include <tapeless/ops/loss/multilabel_soft_margin_loss.hpp>
#include <tapeless/ops/loss/nll_loss.hpp>
#include <tapeless/ops/loss/pairwise_distance.hpp>
#include <tapeless/ops/loss/poisson_nll_loss.hpp>
#include <tapeless/ops/loss/quantile_loss.hpp>
#include <tapeless/ops/loss/sample_weights.hpp>
#include <tapeless/ops/loss/sigmoid_focal_loss.hpp>
#include <tapeless/ops/loss/smooth_l1_loss.hpp>
#include <tapeless/ops/loss/soft_margin_loss.hpp>
#include <tapeless/ops/loss/triplet_margin_loss.hpp>
#include <tapeless/ops/loss/tversky_loss.hpp>
#include <tapeless/ops/loss/wasserstein_loss.hpp>
