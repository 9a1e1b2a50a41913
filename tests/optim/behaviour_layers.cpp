// SPDX-License-Identifier: BSL-1.0
// Rules that look at whole parameters.
#include "optim/behaviour.hpp"

TEST_CASE("lamb") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::lamb({.learning_rate = rate}); }, 0.02,
                   0.02);
}

TEST_CASE("lars") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::lars({.learning_rate = rate, .trust_coefficient = 0.1});
      },
      0.05, 0.05);
}

TEST_CASE("fromage") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::fromage({.learning_rate = rate}); }, 0.02,
                   0.02);
}

TEST_CASE("novograd") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::novograd({.learning_rate = rate}); }, 0.01,
                   0.01);
}

TEST_CASE("muon, and adam for vectors") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::partition(tl::for_parameters(tl::matrices, tl::muon({.learning_rate = rate})),
                             tl::adam({.learning_rate = rate}));
      },
      0.02, 0.02);
}

TEST_CASE("apollo of rank 1") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::apollo<1>({.learning_rate = rate}); },
                   0.05, 0.05);
}

TEST_CASE("apollo_mini") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::apollo_mini({.learning_rate = rate, .scale = 1}); },
      0.05, 0.05);
}
