// SPDX-License-Identifier: BSL-1.0
// A block that is applied several times to values that are made of one another.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr int steps = 20;

// Explicit steps of a pendulum.
constexpr auto pendulum = [] {
  auto w = tl::input<"w", double>;
  auto [q, p] = tl::repeat<steps>(
      std::tuple{tl::input<"q", double>, tl::input<"p", double>},
      [=](auto q, auto p) { return std::tuple{q + 0.1_c * p, p - 0.1_c * w * tl::sin(q)}; });
  return tl::outputs(tl::named<"q">(q), tl::named<"p">(p), tl::named<"dw">(tl::grad(q, w)));
};

std::array<double, 2> steps_of(double w, double q, double p) {
  for (int i = 0; i < steps; ++i) {
    const double before = q;
    q += 0.1 * p;
    p -= 0.1 * w * std::sin(before);
  }
  return {q, p};
}

}  // namespace

// Without a chain that they share, what the compiler knows of the values doubles in each repetition.
TEST_CASE("values that are made of one another are repeated as often as one") {
  tl::function f{pendulum};
  auto r = f("w"_t = 1.5, "q"_t = 0.8, "p"_t = -0.3);
  const auto [q, p] = steps_of(1.5, 0.8, -0.3);
  CHECK(r.get<"q">()[0] == test::Approx(q).epsilon(1e-13));
  CHECK(r.get<"p">()[0] == test::Approx(p).epsilon(1e-13));
  const double slope = (steps_of(1.5 + 1e-5, 0.8, -0.3)[0] - steps_of(1.5 - 1e-5, 0.8, -0.3)[0]) / 2e-5;
  CHECK(r.get<"dw">()[0] == test::Approx(slope).epsilon(1e-8));
}

TEST_CASE("draws of a shape are the same ones in each repetition, unless their names say its number") {
  constexpr auto model = [] {
    auto x = tl::input<"x", double, 2>;
    auto once = x + tl::normal<"eps", double, 2>();
    auto same = tl::repeat<3>(x, [](auto s) { return s + tl::normal<"eps", double, 2>(); });
    auto own =
        tl::repeat<3>(x, []<int I>(auto s) { return s + tl::normal<tl::name{"eps"} + I, double, 2>(); });
    return tl::outputs(tl::named<"once">(once), tl::named<"same">(same), tl::named<"own">(own));
  };
  tl::function f{model};
  auto r = f("x"_t = std::array{0.0, 0.0});
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(r.get<"same">()[i] == test::Approx(3 * r.get<"once">()[i]));
    CHECK(r.get<"own">()[i] != test::Approx(3 * r.get<"once">()[i]));
  }
}
