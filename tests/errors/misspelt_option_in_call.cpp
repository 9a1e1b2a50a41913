// SPDX-License-Identifier: BSL-1.0
// An option in braces among a layer's operands, by a name that no layer has.
// both compilers
// lines: 20
// expect-gnu: a layer has template arguments in this order, its name first: tl::linear<"fc1", 10>(x)
// expect-clang: no matching function for call to 'linear'
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::mean(tl::linear<"fc1", 10, false>(x));
#else
  return tl::mean(tl::linear<"fc1", 10>(x, {.bais = false}));
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
