// SPDX-License-Identifier: BSL-1.0
// A model's parameters by name.
#include <tapeless/train/trainer/model_parameters.hpp>

#include <boost/hana/for_each.hpp>
#include <string>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto w = tl::param<"w", float, 2, 3>(tl::uniform(1));
  return tl::outputs(tl::cast<double>(tl::sum(w)) * tl::param<"s", double>(tl::fill(2)), tl::named<"w">(w));
};

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
  boost::hana::for_each(p.views(), [&](auto view) { names += view.label(); });
  CHECK(names == "ws");
  CHECK(reinterpret_cast<const std::byte*>(p.view<"s">().data()) == p.memory().pointers()[1]);
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
