// SPDX-License-Identifier: BSL-1.0
// Rules that look at second derivatives, or at something like them.
#include "optim/behaviour.hpp"

TEST_CASE("shampoo, and adam for vectors") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::partition(tl::for_parameters(tl::matrices, tl::shampoo({.learning_rate = rate})),
                             tl::adam({.learning_rate = rate}));
      },
      0.5, 0.5);
}

TEST_CASE("shampoo with running means") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::partition(
            tl::for_parameters(tl::matrices, tl::shampoo({.learning_rate = rate, .beta2 = 0.9})),
            tl::adam({.learning_rate = rate}));
      },
      0.05, 0.02);
}

// The gradient of one parameter counts for another one only where the Hessian has both.
TEST_CASE("sophia") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::sophia({.learning_rate = rate, .gamma = 1}); }, 0.05,
      0.5, behaviour::spreads::not_at_all);
}
