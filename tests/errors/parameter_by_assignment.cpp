// SPDX-License-Identifier: BSL-1.0
// Values, or another trainer's, that should become those of a parameter.
// both compilers
// expect: tapeless: a view cannot be given values by =: a trainer's parameter takes them by net.assign<"NAME">(values), a function's by std::copy to the view's begin()
// reject: no viable
// reject: no match
#include <tapeless/tapeless.hpp>

#include <vector>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}, other{model, tl::sgd({.learning_rate = 0.1f})};
  const std::vector<float> values(10);
#ifdef CORRECTED
  net.assign<"fc1.bias">(values);
  net.assign<"fc1.weight">(other.parameter<"fc1.weight">());
#else
  net.parameter<"fc1.bias">() = values;
  net.parameter<"fc1.weight">() = other.parameter<"fc1.weight">();
#endif
}
