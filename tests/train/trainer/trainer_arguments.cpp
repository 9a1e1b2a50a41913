// SPDX-License-Identifier: BSL-1.0
// Which class a trainer of these arguments is; tests/errors has those that make none.
#include <tapeless/train/trainer/trainer_arguments.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] { return tl::square(tl::param<"w", float>(tl::fill(1)) * tl::input<"x", float>); };
using model_type = std::remove_const_t<decltype(model)>;
using rule = decltype(tl::sgd({.learning_rate = 1}));

template <class... Arguments>
using trainer_of = decltype(tl::trainer{model, std::declval<rule>(), std::declval<Arguments>()...});
using deferred = tl::trainer<model_type, rule, tl::cpu>;
using eager = tl::trainer<model_type, rule, tl::cpu, tl::eager_updates_t>;

}  // namespace

TEST_CASE("the policy, the timing and the seed can be left out") {
  STATIC_REQUIRE(std::is_same_v<trainer_of<>, deferred>);
  STATIC_REQUIRE(std::is_same_v<trainer_of<tl::cpu>, deferred>);
  STATIC_REQUIRE(std::is_same_v<trainer_of<tl::cpu, int>, deferred>);
  STATIC_REQUIRE(std::is_same_v<trainer_of<tl::cpu, tl::deferred_updates_t, int>, deferred>);
  STATIC_REQUIRE(std::is_same_v<trainer_of<tl::cpu, tl::eager_updates_t>, eager>);
  STATIC_REQUIRE(std::is_same_v<trainer_of<tl::cpu, tl::eager_updates_t, int>, eager>);
}
