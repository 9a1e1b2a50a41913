// SPDX-License-Identifier: BSL-1.0
// An option of a loss.
// both compilers
// lines: 20
// first-gnu: 'tapeless::loss' has no non-static data member named 'smoothing'
// first-clang: field designator 'smoothing' does not refer to any field in type 'tl::loss'
// expect: 'smoothing'
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  auto label = tl::input<"label", int, 8>;
#ifdef CORRECTED
  return tl::cross_entropy<tl::loss{.label_smoothing = 0.1}>(x, label);
#else
  return tl::cross_entropy<tl::loss{.smoothing = 0.1}>(x, label);
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
