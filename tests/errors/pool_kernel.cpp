// SPDX-License-Identifier: BSL-1.0
// A pool whose windows are larger than x.
// expect: max_pool2d of a value of the shape [batch, 2, 3, 8]: a kernel of 4 is longer than axis 2
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
constexpr tl::pool options{.kernel = 3};
#else
constexpr tl::pool options{.kernel = 4};
#endif

constexpr auto model = [] {
  return tl::max_pool2d<options>(tl::input<"x", float, tl::dyn<"batch">, 2, 3, 8>);
};

int main() { tl::function f{model}; }
