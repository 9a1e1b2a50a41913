// SPDX-License-Identifier: BSL-1.0
// A norm of an order that none has, and the place of the largest of no elements.
// expect: norm takes an order above 0, which may be infinity
// expect: argmax of a value of the shape [2, 0]: there is no element
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
constexpr int order = 3, extent = 4;
#else
constexpr int order = -1, extent = 0;
#endif

constexpr auto length = [] { return tl::norm(tl::input<"x", float, 2>, tl::order<order>); };
constexpr auto place = [] { return tl::argmax<-1>(tl::input<"x", float, 2, extent>); };

int main() {
  tl::function f{length};
  tl::function g{place};
}
