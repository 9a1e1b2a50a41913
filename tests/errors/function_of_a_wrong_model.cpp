// SPDX-License-Identifier: BSL-1.0
// A function on the weights of a trainer whose model is wrong: only that is said.
// expect: - got operands of the shapes [3] and [2], which do not fit
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: no viable
#include <array>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#ifdef CORRECTED
constexpr int width = 2;
#else
constexpr int width = 3;
#endif

constexpr auto model = [] {
  auto y = tl::linear<"fc", width>(tl::input<"x", float, 2>);
  return tl::outputs(tl::sum(tl::square(y - tl::input<"y", float, 2>)), tl::named<"y">(y));
};
constexpr auto part = [] { return tl::named<"y">(tl::linear<"fc", 2>(tl::input<"x", float, 2>)); };

int main() {
  tl::trainer net{model, tl::adam({})}, other{model, tl::adam({})};
  const tl::function f{part, tl::weights(net)};
  tl::copy_parameters(net, other);
  tl::soft_update(net, other, 0.5);
  const auto before = tl::snapshot(net);
  tl::restore(net, before);
  return f("x"_t = std::array{1.0f, 2.0f}).get<"y">()[0] > 0;
}
