// SPDX-License-Identifier: BSL-1.0
// The entries of the run-time numbers: none is two things.
#include <tapeless/train/program/number_entries.hpp>

#include <tapeless/operations.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/program/graph_builders.hpp>

#include "catch.hpp"

namespace tl = tapeless;

TEST_CASE("the step, the random key, the rule's numbers and the weight of gradients, one after the other") {
  using entries = tl::number_entries<decltype(tl::chain(tl::scale_by_learning_rate(0.1f)))>;
  STATIC_REQUIRE(entries::step == 0);
  STATIC_REQUIRE(entries::random_key == 1);
  STATIC_REQUIRE(entries::first_of_rule == 2);
  STATIC_REQUIRE(entries::gradient_weight == 3);
  STATIC_REQUIRE(entries::count == 4);
}

TEST_CASE("the weight of gradients stands behind all of a rule's numbers") {
  using rule = decltype(tl::adamw({.learning_rate = 0.1f}));
  using entries = tl::number_entries<rule>;
  STATIC_REQUIRE(rule::hyper_count > 1);
  STATIC_REQUIRE(entries::gradient_weight == entries::first_of_rule + rule::hyper_count);
}

TEST_CASE("programs without random numbers do not read the key") {
  constexpr auto with = [] { return tl::sum(tl::dropout<0.5>(tl::param<"w", float, 4>)); };
  constexpr auto without = [] { return tl::sum(tl::square(tl::param<"w", float, 4>)); };
  using rule = decltype(tl::sgd({.learning_rate = 0.1f}));
  using random_step = tl::ready<tl::step_graph_builder<decltype(with), rule>>;
  using step = tl::ready<tl::step_graph_builder<decltype(without), rule>>;
  using evaluation = tl::ready<tl::forward_graph_builder<decltype(with)>>;
  STATIC_REQUIRE(tl::numbers_read_by<random_step>.random_key);
  STATIC_REQUIRE(!tl::numbers_read_by<step>.random_key);
  STATIC_REQUIRE(tl::numbers_read_by<step>.others);
  STATIC_REQUIRE(!tl::numbers_read_by<evaluation>.random_key);
  STATIC_REQUIRE(!tl::numbers_read_by<evaluation>.others);
}
