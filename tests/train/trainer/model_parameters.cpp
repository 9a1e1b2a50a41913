// SPDX-License-Identifier: BSL-1.0
// A model's parameters by name.
#include <tapeless/train/trainer/model_parameters.hpp>

#include <string>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto w = tl::param<"w", float, 2, 3>(tl::uniform(1));
  return tl::outputs(tl::cast<double>(tl::sum(w)) * tl::param<"s", double>(tl::fill(2)), tl::named<"w">(w));
};

constexpr auto linear_model = [] { return tl::mean(tl::linear<"fc", 1>(tl::input<"x", float, 4, 2>)); };

using parameters = tl::model_parameters<decltype(model), tl::element::number, tl::cpu::memory>;
using in_16_bits = tl::model_parameters<decltype(model), tl::element::bf16, tl::cpu::memory>;

}  // namespace

TEST_CASE("parameters are found by name, in the order of the model") {
  tl::cpu::resources resources{tl::cpu{}};
  const parameters p(resources, 1);
  STATIC_REQUIRE(parameters::count == 2);
  STATIC_REQUIRE(parameters::index_of<"w">() == 0);
  STATIC_REQUIRE(parameters::index_of<"s">() == 1);
  CHECK(p.view<"w">().size() == 6);
  CHECK(p.view<"w">().shape()[1] == 3);
  CHECK(p.view<"s">()[0] == 2);
  std::string names;
  p.views().for_each([&](auto view) { names += view.name(); });
  CHECK(names == "ws");
  STATIC_REQUIRE(decltype(p.views())::size() == 2);
  CHECK(reinterpret_cast<const std::byte*>(p.view<"s">().data()) == p.memory().pointers()[1]);
}

TEST_CASE("a loop goes through views of one type") {
  tl::trainer net{linear_model, tl::sgd({})};
  std::string all;
  for (auto& p : net.parameters()) {
    all += std::string(p.name()) + " " + std::to_string(p.shape().size()) + "; ";
    for (float& w : p) w = 2;
  }
  CHECK(all == "fc.weight 2; fc.bias 1; ");
  CHECK(net.parameters().size() == 2);
  CHECK(net.parameters()[1].name() == "fc.bias");
  CHECK(net.parameter<"fc.weight">()[0] == 2);
  std::size_t elements = 0;
  net.parameters().for_each([&](const auto& p) { elements += p.size(); });
  CHECK(elements == 3);
}

TEST_CASE("they start from the seed") {
  tl::cpu::resources resources{tl::cpu{}};
  const parameters a(resources, 1), same(resources, 1), other(resources, 2);
  CHECK(test::elements(a.view<"w">()) == test::elements(same.view<"w">()));
  CHECK(test::elements(a.view<"w">()) != test::elements(other.view<"w">()));
}

TEST_CASE("those of float may be stored in 16 bits") {
  tl::cpu::resources resources{tl::cpu{}};
  const in_16_bits p(resources, 1);
  STATIC_REQUIRE(in_16_bits::descriptions[0].type == tl::element::bf16);
  STATIC_REQUIRE(in_16_bits::descriptions[1].type == tl::element::f64);
  const auto w = parameters(resources, 1).view<"w">().copy();
  for (std::size_t i = 0; i < 6; ++i) CHECK(float(p.view<"w">()[i]) == float(tl::bf16(w[i])));
}
