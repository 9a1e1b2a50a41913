// SPDX-License-Identifier: BSL-1.0
// An option of a layer that has many forms.
// both compilers
// lines: 20
// first-gnu: 'tapeless::conv' has no non-static data member named 'kernl'
// first-clang: field designator 'kernl' does not refer to any field in type 'tl::conv'
// expect-clang: did you mean 'kernel'?
// expect: 'kernl'
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 1, 6, 6>;
#ifdef CORRECTED
  return tl::mean(tl::conv2d<"conv", 4, tl::conv{.kernel = 3}>(x));
#else
  return tl::mean(tl::conv2d<"conv", 4, tl::conv{.kernl = 3}>(x));
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
