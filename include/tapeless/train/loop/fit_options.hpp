// SPDX-License-Identifier: BSL-1.0
// What a fit is told: how long, in what batches, in what order.
#pragma once

#include <cstdint>

#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/source.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/optim/base/hyperparameter_range.hpp>

namespace tapeless {

/// How long a fit lasts, in what batches and in what order it takes the samples.
struct fit_options {
  int epochs = 1;               ///< passes over the training samples
  int start_epoch = 0;          ///< so many of the epochs are over: this fit makes the others
  std::int64_t steps = 0;       ///< batches in all; where it is given, it decides instead of `epochs`
  std::int64_t batch = 32;      ///< samples of a step: an update, or by accumulate(n, rule) an n-th of one
  data::source validation{};    ///< samples of its own for validation, all of them after each epoch
  double validation_split = 0;  ///< or the share of the training samples that is held back for it
  random_seed seed = 0;         ///< of the order of the samples
  random_seed split_seed = 0;   ///< of the choice of samples that are held back, which `seed` leaves alone
  bool shuffle = true;          ///< a new order in every epoch; without it the first samples are held back
  data::last_batch last_batch = data::last_batch::keep;  ///< of an epoch, where it is not full
};

/// The options of a fit whose batches are computed in parts. A type of its own, so that only who asks for it
/// compiles the programs that it takes. Members without a line are those of fit_options.
struct fit_in_parts_options {
  int epochs = 1;
  int start_epoch = 0;
  std::int64_t steps = 0;
  std::int64_t batch = 32;
  std::int64_t physical_batch = 0;  ///< samples that are in memory at once (0: the whole batch)
  data::source validation{};
  double validation_split = 0;
  random_seed seed = 0;
  random_seed split_seed = 0;
  bool shuffle = true;
  data::last_batch last_batch = data::last_batch::keep;
};

namespace detail {

inline fit_in_parts_options all_options(const fit_options& o) {
  return {o.epochs,           o.start_epoch, o.steps,      o.batch,   0,           o.validation,
          o.validation_split, o.seed,        o.split_seed, o.shuffle, o.last_batch};
}
inline fit_in_parts_options all_options(const fit_in_parts_options& o) { return o; }

TAPELESS_COLD inline void check_options(const fit_in_parts_options& o, const data::source& from) {
  if (from.size() == 0) throw_error("fit: the data set is empty");
  if (o.batch < 1) throw_error({"fit: batch is ", o.batch, "; it must be 1 or more"});
  if (o.physical_batch < 0)
    throw_error({"fit: physical_batch is ", o.physical_batch, "; it must be 0 or more"});
  if (o.epochs < 0) throw_error({"fit: epochs is ", o.epochs, "; it must be 0 or more"});
  if (o.steps < 0) throw_error({"fit: steps is ", o.steps, "; it must be 0 or more"});
  if (o.start_epoch < 0) throw_error({"fit: start_epoch is ", o.start_epoch, "; it must be 0 or more"});
  if (o.start_epoch > 0 && o.steps > 0)
    throw_error("fit: start_epoch says where to begin among epochs, but steps are given: leave one out");
  if (o.steps == 0 && o.start_epoch > o.epochs)
    throw_error({"fit: start_epoch is ", o.start_epoch, ", but there are ", o.epochs,
                 " epochs in all, of which so many cannot be over"});
  if (from.is_endless() && o.steps == 0) throw_error("fit: the data have no end: say how many steps");
  if (from.is_endless() && o.validation_split > 0)
    throw_error("fit: of data without an end, validation_split can hold no share back");
  if (!(o.validation_split >= 0 && o.validation_split < 1))
    throw_error({"fit: validation_split is ", number_text(o.validation_split).digits,
                 "; it must be at least 0 and below 1"});
  if (o.validation.size() != 0 && o.validation_split > 0)
    throw_error("fit: both validation and validation_split are given: leave one of the two out");
  if (o.validation.is_endless())
    throw_error("fit: the data for validation have no end: give data::take(source, count)");
}

}  // namespace detail

}  // namespace tapeless
