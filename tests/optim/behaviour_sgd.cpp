// SPDX-License-Identifier: BSL-1.0
// Rules of the kind of sgd.
#include "optim/behaviour.hpp"

TEST_CASE("sgd") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::sgd({.learning_rate = rate}); }, 0.05,
                   0.001);
}

TEST_CASE("sgd with momentum") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::sgd({.learning_rate = rate, .momentum = 0.9}); }, 0.02,
      0.001);
}

template <class Options>
concept takes_weight_decay = requires(Options o) { o.weight_decay; };
// Its transform decays nothing.
static_assert(takes_weight_decay<tl::asgd_options> && !takes_weight_decay<tl::scale_by_asgd_options>);

TEST_CASE("asgd") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::asgd({.learning_rate = rate}); }, 0.05,
                   0.001);
}

TEST_CASE("lion") {
  behaviour::check([](const tl::hyperparameter& rate) { return tl::lion({.learning_rate = rate}); }, 0.01,
                   0.003);
}

TEST_CASE("rprop") {
  behaviour::check([](const tl::hyperparameter&) { return tl::rprop({.learning_rate = 0.01}); }, 0, 0);
}

TEST_CASE("schedule_free_sgd") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::schedule_free_sgd({.learning_rate = rate}); }, 0.1,
      0.002);
}

TEST_CASE("schedule_free_adamw") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::schedule_free_adamw({.learning_rate = rate}); }, 0.1,
      0.03);
}
