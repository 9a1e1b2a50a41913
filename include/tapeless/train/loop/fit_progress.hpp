// SPDX-License-Identifier: BSL-1.0
// fit_progress: what a fit's callbacks are told.
#pragma once

#include <cstdint>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace tapeless {

class fit_loop;

/// Where a fit stands. What it points to is the fit's, and valid during the call.
struct fit_progress {
  int epoch = 0;                             ///< counted from 0
  int epochs = 1;                            ///< how many there will be
  std::int64_t step = 0;                     ///< steps done in this epoch
  std::int64_t steps = 0;                    ///< steps in an epoch
  const report* train = nullptr;             ///< this epoch's measurements so far
  std::int64_t updates = 0;                  ///< of the trainer so far, in all its fits
  double loss = 0;                           ///< of the last step's batch
  array_view<const std::int64_t> samples{};  ///< the numbers of the last step's samples in the source
  double seconds = 0;                        ///< since this call of fit
  bool resumed = false;  ///< the fit goes on from a checkpoint, which the states were read from
  bool ends = false;     ///< in between_steps: the fit is over, or somebody has stopped it
  const std::vector<epoch_report>* history = nullptr;  ///< the epochs that are over
  fit_loop* loop = nullptr;                            ///< for who keeps all of it, see fit_loop
};

}  // namespace tapeless
