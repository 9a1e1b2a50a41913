// SPDX-License-Identifier: BSL-1.0
// A model that returns one of two expressions, which are of two types. The sentence is the compiler's,
// and no more follows from it: what is known while compiling is chosen by if constexpr, what is not by
// tl::where.
// both compilers
// lines: 10
// expect-gnu: inconsistent types
// expect-clang: must match previous return type
// reject: the model
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr bool deep = true;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  if constexpr (deep)
    return tl::mean(tl::tanh(x));
  else
    return tl::mean(x);
#else
  if (deep) return tl::mean(tl::tanh(x));
  return tl::mean(x);
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
