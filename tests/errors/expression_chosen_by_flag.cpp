// SPDX-License-Identifier: BSL-1.0
// ?: between two expressions, which are of two types, by a number of C++. The sentence is the
// compiler's: what is known while compiling is chosen by if constexpr, what is not by tl::where.
// both compilers
// lines: 10
// expect-gnu: operands to '?:' have different types
// expect-clang: incompatible operand types
// reject: the model
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr bool deep = true;

constexpr auto activation(auto x) {
#ifdef CORRECTED
  if constexpr (deep)
    return tl::tanh(x);
  else
    return x;
#else
  return deep ? tl::tanh(x) : x;
#endif
}

constexpr auto model = [] { return tl::mean(activation(tl::input<"x", float, 8, 4>)); };

int main() { tl::function f{model}; }
