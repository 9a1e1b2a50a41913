// SPDX-License-Identifier: BSL-1.0
// A model that calls what runs only later. For clang that is also a lambda that captures a part of several
// values.
// both compilers
// lines-gnu: 20
// lines-clang: 30
// first: the model is run while compiling, but something in it runs only later: a variable that is not
// expect: the model is run while compiling, but something in it runs only later: a variable that is not
// expect: constexpr, output, a function that is not constexpr, or a lambda that captures the a of auto [a, b]
// expect: (it can capture auto c = a)
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto wide() { return tl::input<"x", float, 8, 4>; }
#else
inline auto wide() { return tl::input<"x", float, 8, 4>; }
#endif

constexpr auto product = [] {
  auto x = tl::input<"x", float, 4, 3>;
#ifdef CORRECTED
  auto [a, b] = tl::split<0, 2>(x);
  auto c = a;
  auto times_a = [&](auto k) { return c * k; };
#else
  auto [a, b] = tl::split<0, 2>(x);
  auto times_a = [&](auto k) { return a * k; };
#endif
  return tl::outputs(tl::named<"y">(times_a(b)));
};

int main() {
  tl::trainer net{[] { return tl::mean(tl::linear<"fc", 2>(wide())); }, tl::sgd({.learning_rate = 0.1f})};
  tl::function f{product};
}
