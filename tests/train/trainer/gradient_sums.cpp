// SPDX-License-Identifier: BSL-1.0
// The memory of gradients that are added up.
#include <tapeless/train/trainer/gradient_sums.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  return tl::sum(tl::cast<double>(tl::param<"v", float, 3>)) * tl::sum(tl::param<"w", double, 2>);
};

template <tl::element StoredAs>
using gradients_of = tl::gradient_sums<tl::model_parameters<decltype(model), StoredAs, tl::cpu::memory>>;

}  // namespace

TEST_CASE("gradients have memory from when they are held, zero at first") {
  tl::cpu::resources resources{tl::cpu{}};
  tl::state_addresses addresses({2}, 0);
  gradients_of<tl::element::number> g;
  CHECK(!g.is_held());
  g.set_to_zero();  // nothing to do
  g.hold(resources, addresses);
  CHECK(g.is_held());
  CHECK(test::elements(g.view<"v">()) == std::vector<double>(3));
  CHECK(test::elements(g.view<"w">()) == std::vector<double>(2));
  for (std::size_t i = 0; i < 2; ++i) CHECK(addresses.all()[i] == g.pointers()[i]);
  g.view<"v">()[1] = 5;
  g.hold(resources, addresses);  // as they are
  CHECK(g.view<"v">()[1] == 5);
  g.set_to_zero();
  CHECK(g.view<"v">()[1] == 0);
}

TEST_CASE("gradients of parameters of 16 bits are added up in float") {
  using in_16_bits = gradients_of<tl::element::f16>;
  STATIC_REQUIRE(in_16_bits::descriptions[0].type == tl::element::f32);
  STATIC_REQUIRE(in_16_bits::descriptions[1].type == tl::element::f64);
}
