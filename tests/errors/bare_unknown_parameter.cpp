// SPDX-License-Identifier: BSL-1.0
// A parameter by a name that the model does not have, where bare.hpp is all that is included.
// both compilers
// alone
// lines: 20
// first: there is no parameter named "fc1"; there is "fc1.weight", "fc1.bias"
// expect: there is no parameter named "fc1"; there is "fc1.weight", "fc1.bias"
#include <tapeless/bare.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::linear<"fc1", 3>(tl::input<"x", float, 5, 2>)); };

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::bare{}};
#ifdef CORRECTED
  return net.parameter<"fc1.weight">()[0] < 1 ? 0 : 1;
#else
  return net.parameter<"fc1">()[0] < 1 ? 0 : 1;
#endif
}
