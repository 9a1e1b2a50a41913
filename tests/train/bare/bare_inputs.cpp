// SPDX-License-Identifier: BSL-1.0
// What a run on tl::bare writes is no input of it: the views of its last result.
#include <tapeless/bare.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

using namespace tl::literals;

TEST_CASE("a view of the last result is refused, and a copy of it is taken") {
  constexpr auto shift = [] {
    auto h = tl::input<"h", float, 6>;
    return tl::outputs(tl::named<"h">(tl::concat<0>(tl::input<"x", float, 1>, tl::slice<0, 0, 5>(h))));
  };
  tl::function f{shift, tl::bare{}}, other{shift, tl::bare{}};
  const float one[1] = {7}, start[6] = {1, 2, 3, 4, 5, 6};
  const auto result = f("h"_t = start, "x"_t = one);
  const auto view = result.get<"h">();
  CHECK(!f("h"_t = view, "x"_t = one).is_valid());
  CHECK(!f("h"_t = std::span(view.data(), 6), "x"_t = one).is_valid());
  CHECK(!f("h"_t = std::span<const float, 6>(view.data(), 6), "x"_t = one).is_valid());
  CHECK(!f("h"_t = start, "x"_t = std::span(view.data() + 5, 1)).is_valid());
  CHECK(view[5] == 5);  // nothing was computed
  CHECK(other("h"_t = view, "x"_t = one).get<"h">()[5] == 4);
  float copy[6];
  std::copy_n(view.data(), 6, copy);
  CHECK(f("h"_t = copy, "x"_t = one).get<"h">()[5] == 4);
}

TEST_CASE("a function reads inputs where its weights are") {
  constexpr auto scaled = [] {
    auto x = tl::input<"x", float, 3>;
    return tl::outputs(tl::named<"y">(x * tl::param<"w", float, 3>(tl::fill(2))));
  };
  tl::function f{scaled, tl::bare{}};
  CHECK(f("x"_t = std::span(f.parameter<"w">(), 3)).get<"y">()[2] == 4);
}

TEST_CASE("what a step writes is refused as its input, and copies are taken") {
  constexpr auto step_of = [] {
    auto h = tl::tanh(tl::matmul(tl::input<"h", float, 1, 5>, tl::param<"w", float, 5, 5>(tl::normal(0.5))));
    return tl::outputs(tl::sum(tl::square(h)), tl::named<"h">(h));
  };
  const auto rule = tl::adam({.learning_rate = 0.1});
  tl::trainer usual{step_of, rule, tl::cpu{.threads = 1}, 5};
  tl::trainer net{step_of, rule, tl::bare{}, 5};
  const float start[1][5] = {{1, -2, 3, 0.5f, -1}};
  usual.step("h"_t = start);
  const auto view = net.step("h"_t = start).get<"h">();
  const float* const w = net.parameter<"w">();
  const std::vector<float> before(w, w + 25);
  const auto unchanged = [&](const auto& result) {
    CHECK(!result.is_valid());
    CHECK(net.steps() == 1);
    CHECK(std::equal(w, w + 25, before.begin()));
  };
  unchanged(net.step("h"_t = view));
  unchanged(net.step("h"_t = std::span<const float, 5>(view.data(), 5)));
  unchanged(net.step("h"_t = std::span(w + 20, 5)));
  std::array<float, 5> copy{};
  std::copy_n(view.data(), 5, copy.data());
  usual.step("h"_t = copy);
  CHECK(net.step("h"_t = copy).is_valid());
  const auto weights = std::span(w, 25);
  for (std::size_t i = 0; i < 25; ++i)
    CHECK(weights[i] == test::Approx(usual.parameter<"w">()[i]).epsilon(1e-4));
  const auto predicted = net.predict("h"_t = weights.first(5));  // which only reads them
  CHECK(predicted.is_valid());
  CHECK(!net.predict("h"_t = predicted.get<"h">()).is_valid());
}
