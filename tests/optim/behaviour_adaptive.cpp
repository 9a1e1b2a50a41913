// SPDX-License-Identifier: BSL-1.0
// Rules with scales from the gradients so far.
#include "optim/behaviour.hpp"

TEST_CASE("adagrad") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::adagrad({.learning_rate = rate}); }, 0.5,
                   0.5);
}

TEST_CASE("adadelta") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::adadelta({.learning_rate = rate}); }, 10,
                   10);
}

TEST_CASE("rmsprop") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::rmsprop({.learning_rate = rate}); }, 0.01,
                   0.01);
}

TEST_CASE("rmsprop, centered, with momentum") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::rmsprop({.learning_rate = rate, .momentum = 0.5, .centered = true});
      },
      0.005, 0.005);
}

TEST_CASE("sm3") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::sm3({.learning_rate = rate}); }, 0.5, 0.5);
}

TEST_CASE("sm3 with momentum") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::sm3({.learning_rate = rate, .momentum = 0.9}); }, 0.5,
      0.5);
}

TEST_CASE("adafactor") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::adafactor({.learning_rate = rate}); },
                   0.05, 0.05);
}
