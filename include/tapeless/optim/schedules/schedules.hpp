// SPDX-License-Identifier: BSL-1.0
// All schedules: numbers that depend on the step, for any hyperparameter.
#pragma once

#include <tapeless/optim/schedules/constant_schedule.hpp>
#include <tapeless/optim/schedules/cosine_restarts.hpp>
#include <tapeless/optim/schedules/cosine_schedule.hpp>
#include <tapeless/optim/schedules/cyclic_schedule.hpp>
#include <tapeless/optim/schedules/exponential_schedule.hpp>
#include <tapeless/optim/schedules/inverse_square_root.hpp>
#include <tapeless/optim/schedules/join_schedules.hpp>
#include <tapeless/optim/schedules/linear_schedule.hpp>
#include <tapeless/optim/schedules/multi_step_schedule.hpp>
#include <tapeless/optim/schedules/one_cycle.hpp>
#include <tapeless/optim/schedules/polynomial_schedule.hpp>
#include <tapeless/optim/schedules/reduce_on_plateau.hpp>
#include <tapeless/optim/schedules/step_schedule.hpp>
#include <tapeless/optim/schedules/warmup_cosine.hpp>
#include <tapeless/optim/schedules/warmup_stable_decay.hpp>
