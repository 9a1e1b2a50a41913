// SPDX-License-Identifier: BSL-1.0
// A layer's option by a name that it does not have: the compiler says which, and no more follows from it.
// both compilers
// lines: 20
// first-gnu: 'tapeless::attention_options' has no non-static data member named 'head'
// first-clang: field designator 'head' does not refer to any field in type 'tl::attention_options'
// expect: 'head'
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::mean(tl::attention<"attn", tl::attention_options{.heads = 4}>(x));
#else
  return tl::mean(tl::attention<"attn", tl::attention_options{.head = 4}>(x));
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
