// SPDX-License-Identifier: BSL-1.0
// A gated linear unit of an odd number of features.
// expect: glu of a value of the shape [8, 5]: it takes floating elements and an even extent along axis -1
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  return tl::glu(tl::input<"x", float, 8, 6>);
#else
  return tl::glu(tl::input<"x", float, 8, 5>);
#endif
};

int main() { tl::function f{model}; }
