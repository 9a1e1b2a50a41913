// SPDX-License-Identifier: BSL-1.0
// A result without a loss where a number is expected.
// both compilers
// lines: 24
// expect: this program does not compute the loss: read an output of it, result.get<"y">()
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto h = tl::linear<"fc", 1>(x);
  return tl::outputs(tl::mean(tl::square(h)), tl::named<"h">(h));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
#ifdef CORRECTED
  return net.evaluate("x"_t = {1.0f, 2.0f}) < 1;
#else
  return net.predict("x"_t = {1.0f, 2.0f}) < 1;
#endif
}
