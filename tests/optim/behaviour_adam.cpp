// SPDX-License-Identifier: BSL-1.0
// Rules of the family of adam.
#include "optim/behaviour.hpp"

TEST_CASE("adam") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::adam({.learning_rate = rate}); }, 0.05,
                   0.05);
}

TEST_CASE("adamw") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::adamw({.learning_rate = rate, .weight_decay = 1e-4}); },
      0.05, 0.05);
}

TEST_CASE("adam with amsgrad") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::adam({.learning_rate = rate, .amsgrad = true}); }, 0.05,
      0.05);
}

TEST_CASE("adamax") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::adamax({.learning_rate = rate}); }, 0.05,
                   0.05);
}

TEST_CASE("nadam") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::nadam({.learning_rate = rate}); }, 0.05,
                   0.05);
}

TEST_CASE("nadamw") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::nadamw({.learning_rate = rate, .weight_decay = 1e-4});
      },
      0.05, 0.05);
}

TEST_CASE("radam, clipped, as it starts without its scale") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::chain(tl::clip_by_norm(1), tl::radam({.learning_rate = rate}));
      },
      0.05, 0.05);
}

TEST_CASE("adabelief") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::adabelief({.learning_rate = rate}); },
                   0.05, 0.05);
}

TEST_CASE("adan") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::adan({.learning_rate = rate}); }, 0.05,
                   0.05);
}

TEST_CASE("yogi") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::yogi({.learning_rate = rate}); }, 0.05,
                   0.05);
}
