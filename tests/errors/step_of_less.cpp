// SPDX-License-Identifier: BSL-1.0
// A step without the inputs that only a named output needs.
// both compilers
// lines: 20
// expect: not bound: "xs" float[tests, 3]; bound: "x"; a step computes all outputs, and needs more for "mean" than for the loss: train a model of outputs(loss) alone, and let tl::function f{model, tl::weights(net)} compute the others
// reject: no matching
// reject: no type named
// reject: has no member
#include <vector>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto y = tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>);
  auto mean = tl::linear<"fc", 2>(tl::input<"xs", float, tl::dyn<"tests">, 3>);
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y), tl::named<"mean">(mean));
};
constexpr auto loss = [] {
  return tl::mean(tl::square(tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>)));
};

int main() {
  const std::vector<float> x(6);
#ifdef CORRECTED
  tl::trainer net{loss, tl::sgd({})};
  net.step("x"_t = x);
  return tl::function{model, tl::weights(net)}("x"_t = x, "xs"_t = x).get<"mean">()[0] > 0;
#else
  tl::trainer net{model, tl::sgd({})};
  net.step("x"_t = x);
#endif
}
