// SPDX-License-Identifier: BSL-1.0
// All rules, transformations and schedules.
#pragma once

#include <tapeless/optim/adam.hpp>
#include <tapeless/optim/add_decayed_weights.hpp>
#include <tapeless/optim/chain.hpp>
#include <tapeless/optim/clip_by_global_norm.hpp>
#include <tapeless/optim/scale_by_learning_rate.hpp>
#include <tapeless/optim/schedules/schedules.hpp>
#include <tapeless/optim/sgd.hpp>
#include <tapeless/optim/trace.hpp>
