// SPDX-License-Identifier: BSL-1.0
// dropout with names: draws of the same operand that differ.
#include <tapeless/ops/activation/dropout.hpp>

#include <tapeless/tapeless.hpp>

#include <cstdlib>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace {

using namespace tl::literals;

constexpr int count = 4000;

// What two dropouts of one operand keep, as 0 or 1, and a loss that is nothing to learn from.
template <auto First, auto Second>
auto masks_of() {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, count>;
    auto w = tl::param<"w", float>;
    return tl::outputs(w * tl::mean(x), tl::named<"a">(First(x)), tl::named<"b">(Second(x)));
  };
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  const std::vector<float> ones(count, 1);
  std::vector<std::vector<float>> all;
  for (int step = 0; step < 2; ++step) {
    const auto result = net.step("x"_t = ones);
    for (const auto& view : {result.template get<"a">(), result.template get<"b">()})
      all.emplace_back(view.begin(), view.end());
  }
  const auto evaluated = net.evaluate("x"_t = ones);
  for (const float y : evaluated.template get<"b">()) CHECK(y == 1);
  return all;
}

int different(const std::vector<float>& a, const std::vector<float>& b) {
  int n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) n += a[i] != b[i];
  return n;
}

constexpr auto plain = [](auto x) { return tl::dropout<0.25>(x); };
constexpr auto named = [](auto x) { return tl::dropout<"second", 0.25>(x); };
constexpr auto other = [](auto x) { return tl::dropout<"third", 0.25>(x); };

}  // namespace

TEST_CASE("without names, dropouts of one operand are one draw; a name makes another one, in each step") {
  CHECK(different(masks_of<plain, plain>()[0], masks_of<plain, plain>()[1]) == 0);
  const auto masks = masks_of<plain, named>();
  // each pair of draws differs in 2 * 0.25 * 0.75 of the elements
  for (const auto [a, b] : {std::pair{0, 1}, {0, 2}, {1, 3}, {2, 3}}) {
    INFO(a << " and " << b);
    CHECK(std::abs(different(masks[static_cast<std::size_t>(a)], masks[static_cast<std::size_t>(b)]) - 1500) <
          150);
  }
  const auto both = masks_of<named, other>();
  CHECK(std::abs(different(both[0], both[1]) - 1500) < 150);
  CHECK(different(masks[1], both[0]) == 0);  // of the name alone
}

TEST_CASE("a named dropout keeps as many, scaled") {
  int kept = 0;
  const auto masks = masks_of<named, other>();
  for (const float y : masks[0]) {
    CHECK((y == 0 || y == test::Approx(1 / 0.75).epsilon(1e-6)));
    kept += y != 0;
  }
  CHECK(std::abs(kept - 3000) < 150);
}
