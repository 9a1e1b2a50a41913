// SPDX-License-Identifier: BSL-1.0
// One number for all elements of a parameter.
// expect: assign takes a value for each of the parameter's elements, as a std::vector or an array, but got one
// expect: number: std::fill(view.begin(), view.end(), 0.f) of auto view = net.parameter<"w">() repeats it
// lines: 20
// reject: no matching
#include <vector>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::param<"w", float, 3> * tl::input<"x", float, 3>); };

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
#ifdef CORRECTED
  net.assign<"w">(std::vector<float>(3));
#else
  net.assign<"w">(0.f);
#endif
}
