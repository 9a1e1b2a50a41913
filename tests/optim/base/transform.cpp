// SPDX-License-Identifier: BSL-1.0
// The contract of gradient transformations.
#include <tapeless/optim/optim.hpp>

#include "catch.hpp"
#include "contracts.hpp"

namespace tl = tapeless;

namespace {

struct names {
  static constexpr std::array<tl::name, 1> hyper_names{"strength"};
};
struct numbers {
  std::array<tl::hyperparameter, 1> hypers;
};
struct two_numbers {
  std::array<tl::hyperparameter, 2> hypers;
};
struct transforms {
  static constexpr tl::value transform(tl::rule_context&, tl::value g) { return g; }
};
struct transforms_all {
  static constexpr void transform_all(tl::list<tl::rule_context>&) {}
};
struct transforms_to_nothing {
  static constexpr void transform(tl::rule_context&, tl::value) {}
};

template <class... Parts>
using contract = tl::gradient_transform_contract<test::made_of<Parts...>>;

template <class... T>
constexpr bool all_are_transforms(const tl::chain_rule<T...>&) {
  return (tl::is_gradient_transform<T> && ...);
}

}  // namespace

TEST_CASE("what has all that the contract asks for is a gradient transformation") {
  STATIC_REQUIRE(test::lacks<contract<names, numbers, transforms>>(""));
  STATIC_REQUIRE(test::lacks<contract<names, numbers, transforms_all>>(""));
  STATIC_REQUIRE(tl::is_gradient_transform<test::made_of<names, numbers, transforms>>);
}

TEST_CASE("what lacks a part of it is none") {
  constexpr std::string_view transform =
      "transform(context, g), static, which returns a value, or transform_all(contexts)";
  STATIC_REQUIRE(test::lacks<contract<names, numbers>>(transform));
  STATIC_REQUIRE(test::lacks<contract<names, numbers, transforms_to_nothing>>(transform));
  STATIC_REQUIRE(test::lacks<contract<names, transforms>>("hypers, an array of as many hyperparameters"));
  STATIC_REQUIRE(
      test::lacks<contract<names, two_numbers, transforms>>("hypers, an array of as many hyperparameters"));
  STATIC_REQUIRE_FALSE(tl::is_gradient_transform<test::made_of<numbers, transforms>>);  // without names
  STATIC_REQUIRE_FALSE(tl::is_gradient_transform<int>);
  STATIC_REQUIRE_FALSE(tl::is_gradient_transform<decltype(tl::adam({}))>);
}

TEST_CASE("the library's transformations keep the contract") {
  CHECK(all_are_transforms(tl::chain(
      tl::adaptive_clip(), tl::add_decayed_weights(1e-4), tl::add_noise(), tl::centralize(),
      tl::clip_by_global_norm(1), tl::clip_by_norm(1), tl::clip_by_value(1), tl::ema(), tl::identity(),
      tl::set_to_zero(), tl::scale(-1), tl::scale_by_learning_rate(1e-3), tl::scale_by_adam(),
      tl::trace({.decay = 0.9}), tl::graft(tl::scale_by_shampoo(), tl::scale_by_adafactor()),
      tl::masked(tl::clip_by_global_norm(1), tl::matrices), tl::masked(tl::scale(2), tl::matrices))));
}
