// SPDX-License-Identifier: BSL-1.0
// What is read of a model that cannot be is no second error.
// expect: * got a constant that is no whole number next to elements of the type std::int64_t: tl::cast<float>(x) converts these
// lines: 18
// reject: missing 'template' keyword
// reject: no matching
// reject: has no member
// reject: no member named
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", std::int64_t, 5>;
#ifdef CORRECTED
  auto y = tl::cast<float>(x) * 0.5_c;
#else
  auto y = x * 0.5_c;
#endif
  return tl::outputs(tl::sum(tl::cast<float>(y)) * tl::param<"w", float>, tl::named<"y">(y));
};

int main() {
  const std::vector<std::int64_t> x(5);
  tl::function f{model};
  const auto r = f("x"_t = x);
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  net.step("x"_t = x);
  const auto kept = r.get<"y">().copy();
  for (const auto& p : net.parameters()) std::puts(tl::to_text(p.copy()).c_str());
  net.parameters().for_each([](const auto& p) { std::puts(tl::to_text(p.copy()).c_str()); });
  net.all_gradients().for_each([](const auto& g) { std::puts(tl::to_text(g.copy()).c_str()); });
  return kept[0] + r.get<"y">()[0] + net.parameter<"w">()[0] > 0 ? 1 : 0;
}
