// SPDX-License-Identifier: BSL-1.0
// Rules that find their learning rate, and clipped ones.
#include "optim/behaviour.hpp"

TEST_CASE("prodigy") {
  // The minimum of a linear loss is infinitely far away, and d doubles on its way there each 16 steps.
  behaviour::check([](const tl::hyperparameter& rate) { return tl::prodigy({.learning_rate = rate}); }, 1, 1,
                   behaviour::spreads::where_the_rule_looks_at_all, 1000);
}

TEST_CASE("dadapt") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::dadapt({.learning_rate = rate}); }, 1, 1);
}

TEST_CASE("adam with all kinds of clipping") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::chain(tl::clip_by_value(100), tl::clip_by_norm(100), tl::clip_by_global_norm(100),
                         tl::adam({.learning_rate = rate}));
      },
      0.05, 0.05);
}
