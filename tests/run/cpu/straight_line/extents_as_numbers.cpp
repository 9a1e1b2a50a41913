// SPDX-License-Identifier: BSL-1.0
// Programs on tl::straight_line that need a run-time extent as a number or a count alone: their code runs at
// its extent, and tables at all others.
#include <tapeless/run/cpu/straight_line/straight_lines.hpp>

#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include <vector>

#include "catch.hpp"
#include "program.hpp"
#include "run/cpu/straight_line/waves.hpp"

namespace {

using test::check_same, test::waves;

constexpr tl::extent batch = tl::dyn<"batch">, steps = tl::dyn<"steps">;
const std::vector<float> x = waves(4 * 5), a = waves(3), one = waves(1);
auto adam() { return tl::adam({.learning_rate = 0.01}); }

// How many straight lines a program has on a policy.
template <class Policy, class Program>
constexpr std::size_t lines = Policy::template in_line<Program>::count;

constexpr auto scaled = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto v = tl::param<"v", float, 3>(tl::fill(1));
  return tl::outputs(tl::sum(x) * tl::sum(v), tl::named<"y">(v * tl::size<0>(x)));
};
// Two extents, and one of them in shapes.
constexpr auto shared = [] {
  auto x = tl::input<"x", float, batch, 4>;
  return tl::outputs(tl::named<"y">(tl::input<"a", float, steps> / tl::size<0>(x)));
};
constexpr auto doubled = [] {
  const auto step = [](auto h, auto) { return h + h; };
  return tl::outputs(
      tl::named<"y">(tl::scan(step, tl::input<"a", float, 3>, tl::iota<std::int32_t, steps>())));
};
constexpr auto applied = [] {
  const auto step = [](auto h, auto) { return tl::tanh(tl::linear<"l", 3>(h)); };
  auto h = tl::scan(step, tl::input<"a", float, 1, 3>, tl::iota<std::int32_t, steps>());
  return tl::outputs(tl::mse_loss(h, tl::input<"b", float, 1, 3>), tl::named<"y">(h));
};

template <class Policy>
void check_all() {
  const tl::cpu_by_tables tables;
  tl::trainer usual_scaled{scaled, adam(), tables};
  tl::trainer in_line_scaled{scaled, adam(), Policy{}};
  tl::trainer usual_applied{applied, adam(), tables, 5};
  tl::trainer in_line_applied{applied, adam(), Policy{}, 5};
  tl::function usual_shared{shared, tables};
  tl::function in_line_shared{shared, Policy{}};
  tl::function usual_doubled{doubled, tables};
  tl::function in_line_doubled{doubled, Policy{}};
  STATIC_REQUIRE(lines<Policy, typename decltype(in_line_scaled)::predict_program> > 0);
  STATIC_REQUIRE(lines<Policy, typename decltype(in_line_applied)::step_program> > 0);
  STATIC_REQUIRE(lines<Policy, typename decltype(in_line_doubled)::graph_builder> > 0);
  for (const std::size_t n : {1u, 5u, 2u, 1u, 3u}) {
    INFO("at " << n);
    const auto check = [](const auto& result, const auto& wanted) {
      check_same(result.template get<"y">(), wanted.template get<"y">());
    };
    const tl::array_view<const float> some_x{x.data(), 4 * n};
    check(in_line_scaled.predict("x"_t = some_x), usual_scaled.predict("x"_t = some_x));
    check(in_line_scaled.predict("batch"_t = n), usual_scaled.predict("batch"_t = n));
    check(in_line_shared("a"_t = one, "x"_t = some_x), usual_shared("a"_t = one, "x"_t = some_x));
    check(in_line_doubled("a"_t = a, "steps"_t = n), usual_doubled("a"_t = a, "steps"_t = n));
    const auto step = [n](auto& net) { return net.step("a"_t = a, "b"_t = a, "steps"_t = n).loss(); };
    CHECK(step(in_line_applied) == step(usual_applied));
    check(in_line_applied.predict("a"_t = a, "steps"_t = n), usual_applied.predict("a"_t = a, "steps"_t = n));
  }
}

}  // namespace

TEST_CASE("code of one sample or step runs at no other number") { check_all<tl::straight_line>(); }
TEST_CASE("code of other numbers runs at these alone") { check_all<tl::straight_line_at<2, 5>>(); }

TEST_CASE("an extent that no input has is told in each call") {
  tl::trainer net{applied, adam(), tl::straight_line{}, 5};
  net.predict("a"_t = a, "steps"_t = 1);
  CHECK_THROWS_WITH(net.predict("a"_t = a),
                    test::contains("\"steps\" cannot be found from the inputs: bind it by its name"));
}
