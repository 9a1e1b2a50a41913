// SPDX-License-Identifier: BSL-1.0
// A convolution layer whose options do not say how large its kernel is.
// expect: conv1d<\"c\"> of a value of the shape [batch, 3, 8]: its options need a kernel of 1 or more:
// expect: conv{.kernel = 3}
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
constexpr tl::conv options{.kernel = 3, .padding = 1};
#else
constexpr tl::conv options{.padding = 1};
#endif

constexpr auto model = [] {
  return tl::conv1d<"c", 4, options>(tl::input<"x", float, tl::dyn<"batch">, 3, 8>);
};

int main() { tl::function f{model}; }
