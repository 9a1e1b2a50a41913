// SPDX-License-Identifier: BSL-1.0
// A metric of one's own whose callable takes other arguments than it is given.
// expect: is no callable of metric(); it lacks: a call with an element of the output and of each input
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto y = tl::linear<"fc", 1>(x);
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
#ifdef CORRECTED
  tl::evaluate(net, data, tl::metric<"size", "y">([](float y) { return y * y; }));
#else
  tl::evaluate(net, data, tl::metric<"size", "y">([](float y, float t) { return y * t; }));
#endif
}
