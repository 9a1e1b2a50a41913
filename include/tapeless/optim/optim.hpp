// SPDX-License-Identifier: BSL-1.0
// All rules, transformations and schedules.
//
// A gradient that is NaN is not hidden. It turns into NaN
//   the element's weight
//   the whole parameter, if the rule looks at the parameter as a whole (a length, a matrix)
//   all parameters, if the rule looks at all of them
//   what the gradients depend on, with sophia, which takes derivatives of all gradients
// skip_nonfinite(rule) leaves such steps out.
#pragma once

#include <tapeless/optim/line_search/lbfgs.hpp>
#include <tapeless/optim/rules/adabelief.hpp>
#include <tapeless/optim/rules/adadelta.hpp>
#include <tapeless/optim/rules/adafactor.hpp>
#include <tapeless/optim/rules/adagrad.hpp>
#include <tapeless/optim/rules/adam.hpp>
#include <tapeless/optim/rules/adamax.hpp>
#include <tapeless/optim/rules/adan.hpp>
#include <tapeless/optim/rules/ademamix.hpp>
#include <tapeless/optim/rules/amsgrad.hpp>
#include <tapeless/optim/rules/apollo.hpp>
#include <tapeless/optim/rules/asgd.hpp>
#include <tapeless/optim/rules/dadapt.hpp>
#include <tapeless/optim/rules/fromage.hpp>
#include <tapeless/optim/rules/lamb.hpp>
#include <tapeless/optim/rules/lars.hpp>
#include <tapeless/optim/rules/lion.hpp>
#include <tapeless/optim/rules/muon.hpp>
#include <tapeless/optim/rules/nadam.hpp>
#include <tapeless/optim/rules/novograd.hpp>
#include <tapeless/optim/rules/prodigy.hpp>
#include <tapeless/optim/rules/radam.hpp>
#include <tapeless/optim/rules/rmsprop.hpp>
#include <tapeless/optim/rules/rprop.hpp>
#include <tapeless/optim/rules/schedule_free.hpp>
#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/optim/rules/shampoo.hpp>
#include <tapeless/optim/rules/sm3.hpp>
#include <tapeless/optim/rules/sophia.hpp>
#include <tapeless/optim/rules/yogi.hpp>
#include <tapeless/optim/schedules/schedules.hpp>
#include <tapeless/optim/transforms/adaptive_clip.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/add_noise.hpp>
#include <tapeless/optim/transforms/centralize.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/clip_by_global_norm.hpp>
#include <tapeless/optim/transforms/clip_by_norm.hpp>
#include <tapeless/optim/transforms/clip_by_value.hpp>
#include <tapeless/optim/transforms/ema.hpp>
#include <tapeless/optim/transforms/graft.hpp>
#include <tapeless/optim/transforms/scale.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>
#include <tapeless/optim/transforms/trace.hpp>
#include <tapeless/optim/wrappers/accumulate.hpp>
#include <tapeless/optim/wrappers/average.hpp>
#include <tapeless/optim/wrappers/freezable.hpp>
#include <tapeless/optim/wrappers/in_turn.hpp>
#include <tapeless/optim/wrappers/lazy_rows.hpp>
#include <tapeless/optim/wrappers/lookahead.hpp>
#include <tapeless/optim/wrappers/masked.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/optim/wrappers/sharpness_aware.hpp>
#include <tapeless/optim/wrappers/skip_nonfinite.hpp>
#include <tapeless/optim/wrappers/states_as.hpp>
