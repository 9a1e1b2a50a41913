// SPDX-License-Identifier: BSL-1.0
// An option of a pool.
// lines-clang: 20
// lines-gnu: 26
// expect: 'kernl'
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 1, 6, 6>;
#ifdef CORRECTED
  return tl::mean(tl::max_pool2d<tl::pool{.kernel = 2}>(x));
#else
  return tl::mean(tl::max_pool2d<tl::pool{.kernl = 2}>(x));
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
