// SPDX-License-Identifier: BSL-1.0
// What every trainer can be asked, of trainers of both kinds.
#include <tapeless/train/trainer/trainer_interface.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto y = tl::param<"w", float>(tl::fill(3)) * tl::input<"x", float, tl::dyn<"n">>;
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

template <class Net>
void ask(Net& net, std::string_view rule) {
  const std::vector<float> x{1, 2};
  CHECK(net.evaluate("x"_t = x).loss() == 22.5f);
  CHECK(net.predict("x"_t = x).template get<"y">()[1] == 6);
  CHECK(net.steps() == 0);
  CHECK(net.template parameter<"w">()[0] == 3);
  CHECK(net.parameters()[0].name() == "w");
  CHECK(Net::parameter_descriptions().size() == 1);
  CHECK(Net::gradient_descriptions()[0].type == tl::element::f32);
  CHECK(*reinterpret_cast<float*>(net.parameter_data()[0]) == 3);
  CHECK(net.parameters_are_shared());
  const Net& read_only = net;
  const auto w = read_only.template parameter<"w">();
  STATIC_REQUIRE(std::is_same_v<decltype(w[0]), const float&>);
  CHECK(w[0] == 3);
  CHECK(read_only.parameter_data()[0] == net.parameter_data()[0]);
  CHECK(net.rule_text().find(rule) != std::string::npos);
  net.set_position_in_fit({1, 2, 3});
  CHECK(net.position_in_fit().batch == 2);
  CHECK(net.position().fit.batches == 3);
  net.template set<"learning_rate">(0.125);
  net.step("x"_t = x);
  CHECK(net.steps() == 1);
  CHECK(net.template parameter<"w">()[0] != 3);
  STATIC_REQUIRE(!std::is_copy_constructible_v<Net>);
  STATIC_REQUIRE(!std::is_copy_assignable_v<Net>);
}

}  // namespace

TEST_CASE("a trainer of a rule") {
  tl::trainer net{model, tl::sgd({.learning_rate = 1})};
  ask(net, "scale_by_learning_rate");
}

TEST_CASE("a trainer by L-BFGS") {
  tl::trainer net{model, tl::lbfgs()};
  ask(net, "lbfgs");
}
