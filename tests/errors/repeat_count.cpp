// SPDX-License-Identifier: BSL-1.0
// A block that is repeated less than no times.
// expect: repeat<N> takes N >= 0
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int count = 2;
#else
constexpr int count = -1;
#endif

constexpr auto model = [] {
  return tl::repeat<count>(tl::input<"x", float, 3>, []<int I>(auto h) { return tl::tanh(h); });
};

int main() { tl::function f{model}; }
