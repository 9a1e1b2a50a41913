// SPDX-License-Identifier: BSL-1.0
// All rules, transformations and schedules.
//
// A gradient that is NaN is not hidden: the element's weight becomes NaN, and with it the whole parameter
// where the rule looks at the parameter as a whole (a length, a matrix), and all parameters where it looks at
// all of them; sophia, which takes derivatives of all gradients, spreads it to what those depend on.
// skip_nonfinite(rule) leaves such steps out.
#pragma once

#include <tapeless/optim/accumulate.hpp>
#include <tapeless/optim/adabelief.hpp>
#include <tapeless/optim/adadelta.hpp>
#include <tapeless/optim/adafactor.hpp>
#include <tapeless/optim/adagrad.hpp>
#include <tapeless/optim/adam.hpp>
#include <tapeless/optim/adamax.hpp>
#include <tapeless/optim/adan.hpp>
#include <tapeless/optim/adaptive_clip.hpp>
#include <tapeless/optim/add_decayed_weights.hpp>
#include <tapeless/optim/add_noise.hpp>
#include <tapeless/optim/amsgrad.hpp>
#include <tapeless/optim/apollo.hpp>
#include <tapeless/optim/asgd.hpp>
#include <tapeless/optim/average.hpp>
#include <tapeless/optim/centralize.hpp>
#include <tapeless/optim/chain.hpp>
#include <tapeless/optim/clip_by_global_norm.hpp>
#include <tapeless/optim/clip_by_norm.hpp>
#include <tapeless/optim/clip_by_value.hpp>
#include <tapeless/optim/dadapt.hpp>
#include <tapeless/optim/ema.hpp>
#include <tapeless/optim/freezable.hpp>
#include <tapeless/optim/fromage.hpp>
#include <tapeless/optim/graft.hpp>
#include <tapeless/optim/lamb.hpp>
#include <tapeless/optim/lars.hpp>
#include <tapeless/optim/lbfgs.hpp>
#include <tapeless/optim/lion.hpp>
#include <tapeless/optim/lookahead.hpp>
#include <tapeless/optim/masked.hpp>
#include <tapeless/optim/mixed_precision.hpp>
#include <tapeless/optim/muon.hpp>
#include <tapeless/optim/nadam.hpp>
#include <tapeless/optim/novograd.hpp>
#include <tapeless/optim/prodigy.hpp>
#include <tapeless/optim/radam.hpp>
#include <tapeless/optim/rmsprop.hpp>
#include <tapeless/optim/rprop.hpp>
#include <tapeless/optim/scale.hpp>
#include <tapeless/optim/scale_by_learning_rate.hpp>
#include <tapeless/optim/schedule_free.hpp>
#include <tapeless/optim/schedules/schedules.hpp>
#include <tapeless/optim/sgd.hpp>
#include <tapeless/optim/shampoo.hpp>
#include <tapeless/optim/sharpness_aware.hpp>
#include <tapeless/optim/skip_nonfinite.hpp>
#include <tapeless/optim/sm3.hpp>
#include <tapeless/optim/sophia.hpp>
#include <tapeless/optim/trace.hpp>
#include <tapeless/optim/yogi.hpp>
