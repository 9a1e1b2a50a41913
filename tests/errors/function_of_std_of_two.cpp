// SPDX-License-Identifier: BSL-1.0
// std::max of two expressions. It takes two values of one type, and expressions are of two. The sentence
// is the compiler's: a call with std:: in front asks the templates of std alone, to which no library may add
// one. tl::max and tl::min stand for std's.
// both compilers
// lines-gnu: 40
// lines-clang: 20
// first: no matching function for call to
// expect: no matching function for call to
#include <algorithm>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  auto y = tl::tanh(x);
#ifdef CORRECTED
  return tl::mean(tl::max(x, y));
#else
  return tl::mean(std::max(x, y));
#endif
};

int main() { tl::function f{model}; }
