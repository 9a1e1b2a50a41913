// SPDX-License-Identifier: BSL-1.0
// What a step by line search tells of itself.
#pragma once

#include <tapeless/optim/line_search/line_search.hpp>

namespace tapeless {

/// What one step of L-BFGS did.
struct search_report {
  search_outcome outcome = search_outcome::failed;  ///< failed: the parameters are unchanged
  int evaluations = 1;       ///< of the loss and its gradients, that before the update among them
  double step_length = 0;    ///< in units of the direction
  double loss = 0;           ///< after the update
  double gradient_norm = 0;  ///< the same; Euclidean, over all parameters
  bool restarted = false;    ///< the history was forgotten, because its direction did not go down
};

}  // namespace tapeless
